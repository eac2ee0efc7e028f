package rank

import "math"

// MMR reorders a ranking by maximal marginal relevance (Carbonell and Goldstein 1998) and
// returns the indices of at most limit items. Each next item maximises lambda*score -
// (1-lambda)*similarity, the similarity being that to the most similar item chosen
// before. lambda is between 0 and 1; 1 keeps the order. similarity must be symmetric and
// between 0 and 1. Ties go to the earlier item.
func MMR(scores []float64, similarity func(i, j int) float64, lambda float64, limit int) []int {
	limit = min(max(limit, 0), len(scores))
	chosen := make([]int, 0, limit)
	used := make([]bool, len(scores))
	redundancy := make([]float64, len(scores)) // similarity to the most similar chosen item
	for len(chosen) < limit {
		pick, most := -1, math.Inf(-1)
		for i, score := range scores {
			if value := float64(lambda*score) - float64((1-lambda)*redundancy[i]); !used[i] && (pick < 0 || value > most) {
				pick, most = i, value
			}
		}
		used[pick] = true
		chosen = append(chosen, pick)
		for i := range scores {
			if !used[i] {
				redundancy[i] = max(redundancy[i], similarity(pick, i))
			}
		}
	}
	return chosen
}
