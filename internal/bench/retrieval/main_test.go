package main

import (
	"testing"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/score"
)

func TestTooLow(t *testing.T) {
	t.Parallel()
	s := set{name: "rivers", lowest: map[string]figures{"basic": {.9, .8}}}
	for name, tc := range map[string]struct {
		method      string
		recall, mrr float64
		low         bool
	}{
		"as low as allowed": {"basic", .9, .8, false},
		"low recall":        {"basic", .89, .9, true},
		"low MRR":           {"basic", .95, .79, true},
		"nothing required":  {"local", .1, .1, false},
	} {
		r := eval.Retrieval{Methods: []eval.Line{{Method: tc.method, RetrievalScore: score.RetrievalScore{Metrics: score.Metrics{Recall5: tc.recall, MRR: tc.mrr}}}}}
		if err := s.tooLow(r); (err != nil) != tc.low {
			t.Errorf("%s: %v", name, err)
		}
	}
}
