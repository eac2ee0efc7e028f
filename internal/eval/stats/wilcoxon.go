package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Wilcoxon is the result of a signed-rank test of paired samples.
type Wilcoxon struct {
	Pairs int `json:"pairs"` // whose values differ
	Equal int `json:"equal"` // pairs whose values are equal, left out
	// Z is the standardised sum of the ranks of positive differences: above 0 if the first sample is
	// larger. It is 0 without different pairs.
	Z     float64 `json:"z"`
	P     float64 `json:"p"`     // two-sided
	Exact bool    `json:"exact"` // P is of the exact distribution, not of the normal one
}

// maxExact is the largest number of different pairs for which P is exact.
const maxExact = 50

// SignedRank tests whether differences of pairs are symmetric around 0. Differences of 0 are left
// out (Wilcoxon's way), equal ones have the mean of their ranks, and Z has the correction for ties
// and none for continuity, as scipy.stats.wilcoxon(zero_method="wilcox", correction=False).
// Up to 50 different pairs P is exact, with ties too; above, it is computed from Z. Differences are equal
// only if all their bits are: round what was computed.
func SignedRank(differences []float64) Wilcoxon {
	var nonzero []float64
	for _, d := range differences {
		if d != 0 {
			nonzero = append(nonzero, d)
		}
	}
	n := len(nonzero)
	w := Wilcoxon{Pairs: n, Equal: len(differences) - n, P: 1}
	if n == 0 {
		return w
	}
	slices.SortFunc(nonzero, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	// Ranks are doubled, so that the mean of two ranks is an integer.
	ranks := make([]int, n)
	positive, ties := 0, 0.
	for i := 0; i < n; {
		j := i + 1
		for j < n && math.Abs(nonzero[j]) == math.Abs(nonzero[i]) {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		for k := i; k < j; k++ {
			ranks[k] = i + j + 1
			if nonzero[k] > 0 {
				positive += ranks[k]
			}
		}
		i = j
	}
	count := float64(n)
	mean := count * (count + 1) / 4
	deviation := math.Sqrt((count*(count+1)*(2*count+1) - ties/2) / 24)
	w.Z = (float64(positive)/2 - mean) / deviation
	w.P = TwoSided(w.Z)
	if n <= maxExact {
		w.P, w.Exact = exactSignedRank(ranks, positive), true
	}
	return w
}

// exactSignedRank returns the probability of a sum of ranks at least as far from the middle, if
// each rank is positive or negative with the same probability.
func exactSignedRank(ranks []int, positive int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	of := make([]float64, total+1) // probability of each sum
	of[0] = 1
	for _, r := range ranks {
		for sum := total; sum >= 0; sum-- {
			of[sum] /= 2
			if sum >= r {
				of[sum] += of[sum-r] / 2
			}
		}
	}
	tail := 0.
	for _, p := range of[:min(positive, total-positive)+1] {
		tail += p
	}
	return min(1, 2*tail)
}
