package stats

import (
	"cmp"
	"slices"
)

// Holm returns p-values corrected by the method of Holm and Bonferroni for being one family of
// tests, in the same order: if those below a level are called significant, the probability that any
// of them is so by chance is at most that level.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out := make([]float64, len(p))
	last := 0.
	for rank, i := range order {
		last = max(last, min(1, p[i]*float64(len(p)-rank)))
		out[i] = last
	}
	return out
}
