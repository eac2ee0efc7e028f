package eval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/prompts"
)

func quoted(c cite.Citation) bool {
	const text = "Marley was dead. Scrooge signed."
	return c.Chunk == "c/1" && text[c.Start-100:min(c.End-100, len(text))] == c.Quote
}

func answeredCarol() []Answered {
	return []Answered{
		{Method: "local", Uncited: 1, Calls: 1, Tokens: 100, Citations: []cite.Citation{
			{N: 1, Statement: "Marley was dead", Chunk: "c/1", Start: 100, End: 116, Quote: "Marley was dead.", Match: cite.Exact},
			{N: 2, Statement: "Marley was dead", Chunk: "c/1"},
			{N: 1, Statement: "Scrooge wrote", Chunk: "c/1", Start: 117, End: 132, Quote: "Scrooge signed.", Match: cite.Approximate},
			{N: 3, Statement: "Scrooge wrote", Chunk: "c/1", Start: 118, End: 133, Quote: "Scrooge signed.", Match: cite.Approximate}, // not at these bytes
			{N: 4, Statement: "Scrooge wrote", Chunk: "c/2", Start: 0, End: 15, Quote: "Scrooge signed.", Match: cite.Approximate},    // no such chunk
		}},
		{Method: "basic", Uncited: 2, Calls: 3, Tokens: 300},
	}
}

func TestMeasureEvidence(t *testing.T) {
	t.Parallel()
	got, err := MeasureEvidence(t.Context(), answeredCarol(), quoted, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Evidence{Methods: []MethodEvidence{
		{Method: "basic", Answers: 1, Statements: 2, Calls: 3, Tokens: 300},
		{
			Method: "local", Answers: 1, Statements: 3, Referenced: 2. / 3, Citations: 5, Quoted: .8, InDocument: .5, Exact: .25,
			Coverage: .75, Calls: 1, Tokens: 100,
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if table := got.Table(); !strings.Contains(table, "| local | 1 | 3 | 0.67 | 5 | 0.80 | 0.50 | 0.25 | 0.75 | 1.0 | 100 |") {
		t.Errorf("table:\n%s", table)
	}
}

// TestJudgeEvidence: a citation without a quote is not shown to the judge, and supports nothing.
func TestJudgeEvidence(t *testing.T) {
	t.Parallel()
	ask := func(_ context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
		if prompt != prompts.Support || strings.Count(values["context"], "Statement: ") != 4 {
			return "", fmt.Errorf("asked %s: %s", prompt, values["context"])
		}
		for _, bad := range []string{
			"no", `{"pairs": []}`, `{"pairs": [{"pair": 9, "support": 1}]}`, `{"pairs": [{"pair": 1, "support": 3}]}`,
			`{"pairs": [{"pair": 1, "support": 2}, {"pair": 1, "support": 1}, {"pair": 3, "support": 1}, {"pair": 4, "support": 0}]}`,
		} {
			if valid(bad) == nil {
				return "", errors.New("valid: " + bad)
			}
		}
		return `{"pairs": [{"pair": 1, "support": 2}, {"pair": 2, "support": 1}, {"pair": 3, "support": 1}, {"pair": 4, "support": 0}]}`, nil
	}
	got, err := MeasureEvidence(t.Context(), answeredCarol(), quoted, ask)
	if err != nil {
		t.Fatal(err)
	}
	if m := got.Methods[1]; !got.Judged || m.Supported != .2 || m.Partly != .4 || !strings.Contains(got.Table(), "| 0.20 | 0.40 |") {
		t.Errorf("got %+v", m)
	}
	failed := errors.New("no model")
	_, err = MeasureEvidence(t.Context(), answeredCarol(), quoted, func(context.Context, string, prompts.Values, func(string) error) (string, error) {
		return "", failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}
