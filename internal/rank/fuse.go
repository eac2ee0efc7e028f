package rank

import (
	"cmp"
	"math"
	"slices"
)

// A List is a ranking that is fused with others.
type List struct {
	Keys   []string // best first
	Weight float64  // 0 means 1
}

// Fuse fuses rankings by weighted reciprocal rank: the sum of weight/(k+rank),
// rank from 1. A key that a list repeats counts once, where it comes first. k
// that is not above 0 stands for DefaultK. Ties go by key.
func Fuse(lists []List, k float64) []Scored {
	if !(k > 0) {
		k = DefaultK
	}
	sums := map[string]float64{}
	for _, list := range lists {
		weight := list.Weight
		if !(weight > 0) {
			weight = 1
		}
		seen := make(map[string]bool, len(list.Keys))
		for i, key := range list.Keys {
			if !seen[key] {
				seen[key] = true
				sums[key] += weight / (k + float64(i+1))
			}
		}
	}
	return sortedScores(sums)
}

// Lift adds a second opinion to scores: each list is scaled so that its best is
// 1, and the second counts with the weight given. Where the second says
// nothing, the order of the first stays. What only the second knows joins.
func Lift(first, second []Scored, weight float64) []Scored {
	sums := make(map[string]float64, len(first))
	for _, s := range normalised(first) {
		sums[s.Key] = s.Score
	}
	for _, s := range normalised(second) {
		sums[s.Key] += weight * s.Score
	}
	return sortedScores(sums)
}

// normalised divides by the best score; a list without one above 0 stays as it is.
func normalised(list []Scored) []Scored {
	top := 0.
	for _, s := range list {
		top = max(top, s.Score)
	}
	if top == 0 || math.IsInf(top, 0) {
		top = 1
	}
	out := make([]Scored, len(list))
	for i, s := range list {
		out[i] = Scored{s.Key, s.Score / top}
	}
	return out
}

// MMR reorders a ranking by maximal marginal relevance (Carbonell and
// Goldstein 1998) and gives the places of at most limit items: each next one
// has the best lambda*score - (1-lambda)*likeness to the nearest taken one.
// lambda is between 0 and 1; 1 keeps the order. alike is symmetric, between 0
// and 1. Ties go to the earlier item.
func MMR(scores []float64, alike func(i, j int) float64, lambda float64, limit int) []int {
	limit = min(max(limit, 0), len(scores))
	taken := make([]int, 0, limit)
	used := make([]bool, len(scores))
	nearest := make([]float64, len(scores))
	for len(taken) < limit {
		pick, most := -1, math.Inf(-1)
		for i, score := range scores {
			if value := lambda*score - (1-lambda)*nearest[i]; !used[i] && (pick < 0 || value > most) {
				pick, most = i, value
			}
		}
		used[pick] = true
		taken = append(taken, pick)
		for i := range scores {
			if !used[i] {
				nearest[i] = max(nearest[i], alike(pick, i))
			}
		}
	}
	return taken
}

// Order is the places of scores from the best down, ties in the order given. A
// score that is no number comes last.
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
