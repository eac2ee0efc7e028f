// Package rank ranks search results: it combines the scores of several full-text
// searches, fuses rankings, diversifies them, computes personalised PageRank, packs
// results into a token budget, and shuffles with a seed. It works on plain values,
// whatever they were read from.
package rank

import (
	"cmp"
	"math"
	"slices"
)

// A Scored is a key with its score.
type Scored struct {
	Key   string
	Score float64
}

// sortedScores returns the scores in descending order, ties by key.
func sortedScores(sums map[string]float64) []Scored {
	out := make([]Scored, 0, len(sums))
	for key, score := range sums {
		out = append(out, Scored{key, score})
	}
	slices.SortFunc(out, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return out
}

// Order returns the indices of scores in descending order of score, ties in the given
// order. NaN comes last.
func Order(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	value := func(i int) float64 {
		if math.IsNaN(scores[i]) {
			return math.Inf(-1)
		}
		return scores[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value(j), value(i)) })
	return order
}
