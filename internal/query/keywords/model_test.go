package keywords

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 40 {
		many = append(many, fmt.Sprintf("%q", fmt.Sprint("word", i)))
	}
	for _, tt := range []struct {
		answer    string
		low, high int
		fails     bool
	}{
		{answer: `{"low": ["Scrooge"], "high": ["greed", "change of heart"]}`, low: 1, high: 2},
		{answer: `{"low": [" Scrooge\n", "scrooge", "", "\u0007"], "high": []}`, low: 1},
		{answer: `{"low": [` + strings.Join(many, ",") + `]}`, low: maxKeywords},
		{answer: `{"low": ["` + strings.Repeat("x", maxBytes+1) + `"], "high": null}`},
		{answer: `{"low": "Scrooge"}`, fails: true},
		{answer: `["Scrooge"]`, fails: true},
		{answer: `Scrooge`, fails: true},
	} {
		got, err := parse(tt.answer)
		if (err != nil) != tt.fails || len(got.Low) != tt.low || len(got.High) != tt.high {
			t.Errorf("parse(%s) = %+v, %v", tt.answer, got, err)
		}
	}
}

func TestGiven(t *testing.T) {
	t.Parallel()
	want := Keywords{Low: []string{"Bob Cratchit"}, High: []string{}, By: "user"}
	if diff := cmp.Diff(want, Given([]string{"Bob\nCratchit", "bob cratchit"}, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !Given([]string{" "}, nil).IsEmpty() {
		t.Error("a blank keyword is a keyword")
	}
}
