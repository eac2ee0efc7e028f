package stats

import (
	"math"
	"testing"
)

// TestHolmAsPublished computes the corrected p-values of table 6 of the GraphRAG paper from its
// Z-values: fifteen pairs of conditions are one family for each corpus and criterion. A Z is known
// to two decimals, so that each p-value has to be between those of its bounds.
func TestHolmAsPublished(t *testing.T) {
	const less = .0005 // "< 0.001"
	for name, family := range map[string]struct{ z, p []float64 }{
		"podcast transcripts, comprehensiveness": {
			[]float64{.06, 1.56, 4.1, 3.42, 6.2, 7.45, 8.17, 8.12, 8.85, 1.96, .23, 1.62, .56, .66, 1.97},
			[]float64{1, .633, less, .006, less, less, less, less, less, .389, 1, .633, 1, 1, .389},
		},
		"news articles, comprehensiveness": {
			[]float64{2.03, 3.62, 5.07, 5.63, 6.3, 7.78, 8.34, 8.44, 8.27, .45, 1.54, 4.01, .86, 2.94, 3.68},
			[]float64{.17, .002, less, less, less, less, less, less, less, .777, .371, less, .777, .016, .002},
		},
		"news articles, diversity": {
			[]float64{1.38, 1.88, 2.16, 4.07, 3.57, 4.92, 6.29, 5.53, 4.85, 3.61, 3.14, .22, 3.47, .01, .39},
			[]float64{.676, .298, .184, less, .003, less, less, less, less, .003, .012, 1, .004, 1, 1},
		},
	} {
		bound := func(by float64) []float64 {
			p := make([]float64, len(family.z))
			for i, z := range family.z {
				p[i] = TwoSided(max(0, z+by))
			}
			return Holm(p)
		}
		low, high := bound(+.005), bound(-.005)
		for i, want := range family.p {
			if want+.0005 < low[i] || want-.0005 > high[i] {
				t.Errorf("%s, Z %v: published %v, computed between %v and %v", name, family.z[i], want, low[i], high[i])
			}
		}
	}
}

// TestSharesAsPublished computes the accuracy of all 637 questions of table 1 of the QCG-RAG paper
// from the published ones of the 66 with several steps, 506 with one and 65 without an answer.
func TestSharesAsPublished(t *testing.T) {
	sizes := []float64{66, 506, 65}
	for method, row := range map[string]struct {
		types []float64
		all   float64
	}{
		"Naive RAG": {[]float64{43.94, 66.80, 80.00}, 65.78},
		"LightRAG":  {[]float64{57.58, 69.76, 49.23}, 66.41},
		"QCG-RAG":   {[]float64{62.12, 74.51, 73.85}, 73.16},
	} {
		var right []float64
		for i, share := range row.types {
			right = append(right, math.Round(share*sizes[i]/100))
		}
		if got := 100 * BootstrapRatio(right, sizes).Mean; math.Abs(got-row.all) > .011 {
			t.Errorf("%s: %.2f %%, published %v %%", method, got, row.all)
		}
	}
}
