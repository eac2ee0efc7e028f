package textproc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestReadQuestion(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ question, lucene, pairs, names string }{
		{"", "", "", ""},
		{"What is it?", "", "", ""},
		{"Describe the dinner with Hailey on 2026-04-10!", "04 10 2026 20260410^4 dinner hailey", "04~10 04~2026 10~2026 2026~dinner 2026~hailey 04~hailey dinner~hailey", "Hailey"},
		{"20260410_11:00 or 2026/4/9", "00 11 20260409^4 20260410^4 2026 4 9", "", ""},
		{"20261399 is no day, 18260410 no more, 120260410 a number", "120260410 18260410 20261399 day number", "", ""},
		{"Did LiHua meet Wolfgang Schulz at Adam's house?", "adam hous hua li meet met schulz wolfgang", "", "LiHua|Wolfgang Schulz|Adam"},
		{"Adam Smith asked. Summarize the context for Li Hua", "adam ask hua li smith", "", "Adam Smith|Li Hua"},
		{"Did Ann Berg call at 5 PM or 9 AM?", "5 9 ann berg call pm", "", "Ann Berg"},
		{"Wer war der Kaiser von Marokko?", "kais kaiser marokko", "", "Kaiser|Marokko"},
		{"Who was Kaiser Wilhelm?", "kais kaiser wilhelm", "", "Kaiser Wilhelm"},
		{"谁是刘备的兄弟？", "刘备 兄弟", "", ""},
		{"المدينة التي كان فيها الملك", "مدين ملك", "", ""},
		{"dinner dinner dinner", "din dinn dinner", "", ""},
	} {
		q := textproc.ReadQuestion(tc.question)
		want := strings.Fields(tc.lucene)
		slices.Sort(want)
		got := strings.Fields(q.Lucene())
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: terms (-want +got):\n%s", tc.question, diff)
		}
		if tc.pairs != "" {
			want := strings.Fields(tc.pairs)
			slices.Sort(want)
			if diff := cmp.Diff(want, q.Pairs); diff != "" {
				t.Errorf("%q: pairs (-want +got):\n%s", tc.question, diff)
			}
		}
		if diff := cmp.Diff(tc.names, strings.Join(q.Names, "|")); diff != "" {
			t.Errorf("%q: names (-want +got):\n%s", tc.question, diff)
		}
		if !slices.IsSortedFunc(q.Terms, func(a, b textproc.WeightedTerm) int { return strings.Compare(a.Term, b.Term) }) {
			t.Errorf("%q: terms are not sorted: %v", tc.question, q.Terms)
		}
	}
}

// Lucene refuses queries of more than 1024 clauses.
func TestReadQuestionLimitsTerms(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "word%d %d ", i, 20260101+i%28)
	}
	q := textproc.ReadQuestion(text.String())
	if n := len(q.Terms); n > 512 {
		t.Errorf("%d terms, want at most 512", n)
	}
	if n := len(q.Pairs); n > 1024 {
		t.Errorf("%d pairs, want at most 1024", n)
	}
}

func FuzzReadQuestion(f *testing.F) {
	f.Add("Who met LiHua on 2026-04-10 - 20260411?")
	f.Fuzz(func(t *testing.T, question string) {
		q := textproc.ReadQuestion(question)
		for _, w := range q.Terms {
			if w.Term == "" || w.Weight <= 0 {
				t.Errorf("%q: term %+v", question, w)
			}
		}
		for _, name := range q.Names {
			if strings.TrimSpace(name) == "" {
				t.Errorf("%q: empty name", question)
			}
		}
	})
}
