// Package rank brings lists of found things together: it fuses the scores of
// several full-text searches, fuses ranks, packs what was found into a budget of
// tokens, and shuffles with a seed. It works on plain values and knows nothing of
// where they come from.
package rank

import (
	"cmp"
	"slices"
)

// A Scored is a thing with its score.
type Scored struct {
	Key   string
	Score float64
}

// sortedScores sorts by falling score, ties by key.
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
