package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/query/rank"
)

// asked is a question that BM25 answers at a rank, and fused first if the weights satisfy it.
func asked(bm25 int, first func(rank.Features) bool) question {
	return question{bm25: score.MetricsOf([]int{bm25}), ranks: func(w rank.Features) []int {
		if first(w) {
			return []int{1}
		}
		return []int{6}
	}}
}

func titles(w rank.Features) bool   { return w.Title > w.Passage }
func passages(w rank.Features) bool { return w.Passage > w.Title }
func brief(w rank.Features) bool    { return w.Length < -.5 }
func never(rank.Features) bool      { return false }

func TestChoose(t *testing.T) {
	t.Parallel()
	long := equal
	long.Length = -1
	titled := equal
	titled.Passage, titled.Length = 0, -1
	for _, tt := range []struct {
		name   string
		topics []topic
		want   rank.Features
	}{
		{"nothing helps", []topic{{questions: []question{asked(1, never)}}}, equal},
		{"no topic", nil, equal},
		{"one weight", []topic{{questions: []question{asked(6, brief), asked(1, never)}}}, long},
		{"several weights, for most questions", []topic{
			{questions: []question{asked(6, brief), asked(6, titles)}}, {questions: []question{asked(6, titles), asked(6, passages)}},
		}, titled},
	} {
		got := choose(tt.topics, mrr, equal)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	topics := []topic{{questions: []question{asked(2, titles), asked(1, titles)}}, {questions: []question{asked(6, brief)}}}
	weights := equal
	weights.Title = 2
	if diff := cmp.Diff([]float64{.5, 0, 0}, differences(topics, weights, mrr)); diff != "" {
		t.Errorf("MRR (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{-1, -1, 0}, differences(topics, equal, recall5)); diff != "" {
		t.Errorf("recall@5 (-want +got):\n%s", diff)
	}
}

// Drawn weights are of the grid: no feature has the other sign, and none that is not tuned a weight.
func TestDrawn(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(drawn(), drawn()); diff != "" {
		t.Errorf("other draws (-first +second):\n%s", diff)
	}
	units := equal
	for _, w := range drawn() {
		for name, weight := range w.Named() {
			if unit := *units.Named()[name]; *weight*unit < 0 || unit == 0 && *weight != 0 {
				t.Errorf("%s has the weight %v", name, *weight)
			}
		}
	}
}
