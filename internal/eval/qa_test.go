package eval

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// TestAnswerQuestions counts answers that a table gives.
func TestAnswerQuestions(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"who?":   "- **Clara Hale** opened it. [1]\n- She was a painter. [2][3]",
		"when?":  "- It opened. [1]\n- That was on a Friday in 1921. [2]",
		"why?":   "Nothing that was found in this corpus answers the question.",
		"whose?": "Nothing that was found in this corpus answers the question.",
		"where?": "- In Port Ellen. [1]",
	}
	set := QASet{
		Questions: []Question{
			{ID: "0", Text: "who?", Answer: "Clara Hale"},
			{ID: "1", Text: "when?", Answer: "Friday, 1921"},
			{ID: "2", Text: "why?", Answer: "a fire"},
			{ID: "3", Text: "whose?", Type: "null"},
			{ID: "4", Text: "where?", Type: "null", Answer: "not said"},
			{ID: "5", Text: "how?"},
		},
		Ask: func(_ context.Context, method, question string) (string, int, error) {
			if method == "broken" {
				return "", 0, errors.New("no")
			}
			return answers[question], strings.Count(answers[question], "["), nil
		},
	}
	got, err := AnswerQuestions(t.Context(), []QASet{set}, []string{"basic"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, odd := got.Methods[0].Groups["all"], got.Methods[0].Groups["odd"]
	want := []score.QAScore{
		{Questions: 3, InFirst: 1. / 3, InAnswer: 2. / 3, Words: 17. / 3, Wrongly: 1. / 3, Unanswerable: 2, Declined: .5},
		{Questions: 1, InAnswer: 1, Words: 9, Unanswerable: 1, Declined: 1},
	}
	if diff := cmp.Diff(want, []score.QAScore{all, odd}, cmpopts.IgnoreTypes(stats.Interval{})); diff != "" || got.Without != 1 {
		t.Errorf("%d without an answer (-want +got):\n%s", got.Without, diff)
	}
	if all.Accuracy.Mean != 3./5 || len(got.Methods) != 4 || !got.Methods[3].Constant {
		t.Errorf("accuracy %v of %d methods", all.Accuracy, len(got.Methods))
	}
	if table := got.Table(); !strings.Contains(table, "| basic | all, 3 | 0.333 | 0.667 | 6 | 0.333 | 2 | 0.500 |") {
		t.Errorf("the table is\n%s", table)
	}
	if _, err := AnswerQuestions(t.Context(), []QASet{set}, []string{"broken"}, nil); err == nil || !strings.Contains(err.Error(), "question 0 by broken") {
		t.Errorf("got %v, want the question and the method", err)
	}
	if _, err := AnswerQuestions(t.Context(), []QASet{{Questions: set.Questions[5:]}}, nil, nil); !errors.Is(err, ErrQuestions) {
		t.Errorf("without answers: got %v", err)
	}
}
