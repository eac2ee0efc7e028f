package stats

import (
	"math"
	"math/rand/v2"
)

// A Permutation is the result of a permutation test.
type Permutation struct {
	P     float64 `json:"p"`     // two-sided
	Exact bool    `json:"exact"` // all permutations were counted, not a sample of them
}

const (
	maxExactClusters  = 14    // up to which all permutations are counted
	permutationRounds = 10000 // that are drawn above
)

// ClusteredPermutation tests whether the mean of differences is 0, where the differences of one
// cluster depend on each other, such as those of several judgements of one question: without an
// effect, the signs of a whole cluster could as well be the opposite ones. P is the probability of
// a sum at least as far from 0. Up to 14 clusters all signs are counted, above 10,000 seeded draws.
func ClusteredPermutation(clusters [][]float64) Permutation {
	var sums []float64
	observed, size := 0., 0.
	for _, cluster := range clusters {
		sum := 0.
		for _, d := range cluster {
			sum += d
		}
		if sum != 0 { // its sign changes nothing
			sums = append(sums, sum)
			observed, size = observed+sum, size+math.Abs(sum)
		}
	}
	if len(sums) == 0 {
		return Permutation{P: 1, Exact: true}
	}
	least := math.Abs(observed) - 1e-9*size // sums of the same terms in another order are equal
	if len(sums) <= maxExactClusters {
		return Permutation{P: exactPermutation(sums, least), Exact: true}
	}
	draw := rand.New(rand.NewPCG(1, uint64(len(sums)))) //nolint:gosec // the draws need not be secret
	far := 1                                            // the observed one
	for range permutationRounds {
		total := 0.
		var bits uint64
		for i, s := range sums {
			if i%64 == 0 {
				bits = draw.Uint64()
			}
			if bits&1 == 1 {
				s = -s
			}
			bits >>= 1
			total += s
		}
		if math.Abs(total) >= least {
			far++
		}
	}
	return Permutation{P: float64(far) / (permutationRounds + 1)}
}

// exactPermutation returns the share of all choices of signs whose sum is at least that far from 0.
func exactPermutation(sums []float64, least float64) float64 {
	all := 1 << len(sums)
	far := 0
	for signs := range all {
		total := 0.
		for i, s := range sums {
			if signs>>i&1 == 1 {
				s = -s
			}
			total += s
		}
		if math.Abs(total) >= least {
			far++
		}
	}
	return float64(far) / float64(all)
}
