package main

import (
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	fact := question{Kind: "who", Must: []string{"Anna Berg"}, Not: []string{"/^It was/"}}
	list := question{Kind: "list", Must: []string{"one", "/f(ou)?r/"}}
	for _, tt := range []struct {
		question question
		answer   string // its lines, separated by "|"; "" declines
		want     verdict
	}{
		{fact, "Anna **Berg** did it. [1]", right},
		{fact, "a|b|c|Anna Berg did it.", partly},
		{fact, "It was Anna Berg.", wrong},
		{fact, "Somebody did.", wrong},
		{fact, "", declinedWrongly},
		{list, "one|two|three|four", right},
		{list, "one|two", partly},
		{question{Kind: "unanswerable"}, "", declined},
		{question{Kind: "unanswerable"}, "one", answeredWrongly},
		{question{Kind: smalltalk}, "", right},
		{question{Kind: smalltalk}, "one", wrong},
	} {
		a := answer{Text: "Nothing was found."}
		if tt.answer != "" {
			a.Text = "- " + strings.ReplaceAll(tt.answer, "|", "\n- ")
			a.References = make([]struct{ N int }, 1)
		}
		if got := judge(tt.question, a); got != tt.want {
			t.Errorf("%q for %+v is %s, want %s", tt.answer, tt.question, got, tt.want)
		}
	}
}

func TestBuiltInSuites(t *testing.T) {
	t.Parallel()
	suites, err := readSuites(options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		for _, q := range s.questions {
			if q.Text == "" || q.Kind == "" || q.Lang == "" || q.Answer == "" && q.Kind != "unanswerable" && q.Kind != smalltalk {
				t.Errorf("%s: %+v lacks a field", s.name, q)
			}
			judge(q, answer{Text: q.Answer, References: make([]struct{ N int }, 1)}) // its expressions compile
		}
	}
}
