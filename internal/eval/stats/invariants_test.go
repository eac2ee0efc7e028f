package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// scores are differences of scores, with many ties and zeros, as those of judgements.
var scores = rapid.SliceOfN(rapid.Map(rapid.IntRange(-5, 5), func(i int) float64 { return 20 * float64(i) }), 0, 70)

func negated(values []float64) []float64 {
	out := slices.Clone(values)
	for i := range out {
		out[i] = -out[i]
	}
	return out
}

func TestSignedRankInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := scores.Draw(t, "differences")
		w := SignedRank(d)
		if !(w.P > 0 && w.P <= 1) || w.Pairs+w.Equal != len(d) {
			t.Fatalf("%+v of %d", w, len(d))
		}
		swapped := SignedRank(negated(d))
		if math.Abs(swapped.Z+w.Z) > tolerance || math.Abs(swapped.P-w.P) > tolerance {
			t.Errorf("samples swapped: %+v, want the opposite of %+v", swapped, w)
		}
		if got := SignedRank(rapid.Permutation(d).Draw(t, "permutation")); got != w {
			t.Errorf("pairs in another order: %+v, want %+v", got, w)
		}
		scaled := slices.Clone(d)
		for i := range scaled {
			scaled[i] *= 4
		}
		if got := SignedRank(scaled); got != w {
			t.Errorf("larger differences of the same order: %+v, want %+v", got, w)
		}
		if got := SignedRank(append(slices.Clone(d), 0)); got.Z != w.Z || got.P != w.P {
			t.Errorf("with one more equal pair: %+v, want %+v", got, w)
		}
	})
}

// TestExactIsNearNormal compares the exact distribution with the normal one where both apply.
func TestExactIsNearNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-10, 10), 40, 50).Draw(t, "differences")
		if w := SignedRank(d); w.Pairs >= 40 && math.Abs(w.P-TwoSided(w.Z)) > .02 {
			t.Errorf("%+v, normal %v", w, TwoSided(w.Z))
		}
	})
}

func TestHolmInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		got := Holm(p)
		for i := range p {
			if got[i] < p[i] || got[i] > min(1, p[i]*float64(len(p))) {
				t.Errorf("%v corrected to %v, want between it and that of Bonferroni", p[i], got[i])
			}
			for j := range p {
				if p[i] <= p[j] && got[i] > got[j] {
					t.Errorf("%v <= %v, corrected %v > %v", p[i], p[j], got[i], got[j])
				}
			}
		}
		slices.Reverse(p)
		slices.Reverse(got)
		if !slices.Equal(Holm(p), got) {
			t.Errorf("in reverse: %v, want %v", Holm(p), got)
		}
	})
}

func TestShapiroWilkInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(-1000, 1000), func(i int) float64 { return float64(i) }), 3, 60).Draw(t, "values")
		r, ok := ShapiroWilk(x)
		if !ok {
			return
		}
		if !(r.W > 0 && r.W <= 1) || !(r.P >= 0 && r.P <= 1) {
			t.Fatalf("%+v", r)
		}
		moved := slices.Clone(x)
		for i := range moved {
			moved[i] = 3 - 2*moved[i]
		}
		if got, _ := ShapiroWilk(moved); math.Abs(got.W-r.W) > tolerance || math.Abs(got.P-r.P) > 1e-4 {
			t.Errorf("of 3 - 2x: %+v, want %+v", got, r)
		}
	})
}

func TestBootstrapInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 30).Draw(t, "values")
		i := Bootstrap(values)
		if i.Low > i.Mean+tolerance || i.High < i.Mean-tolerance || i.Low < slices.Min(values)-tolerance || i.High > slices.Max(values)+tolerance {
			t.Errorf("%+v of %v", i, values)
		}
		if again := Bootstrap(values); again != i {
			t.Errorf("again: %+v, want %+v", again, i)
		}
	})
}

func TestKappaInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.IntRange(0, 2), 12, 12)
		a, b := labels.Draw(t, "first"), labels.Draw(t, "second")
		k, ok := Kappa(a, b)
		other, otherOK := Kappa(b, a)
		if ok != otherOK || math.Abs(k-other) > tolerance || k < -1-tolerance || k > 1+tolerance {
			t.Errorf("%v %v, judges swapped %v %v", k, ok, other, otherOK)
		}
		if same, ok := Kappa(a, a); ok && math.Abs(same-1) > tolerance {
			t.Errorf("with itself %v", same)
		}
	})
}

func TestClusteredPermutationInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clusters := rapid.SliceOfN(rapid.SliceOfN(rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return 50 * float64(i) }), 0, 4), 0, 20).Draw(t, "clusters")
		p := ClusteredPermutation(clusters)
		if !(p.P > 0 && p.P <= 1) {
			t.Fatalf("%+v", p)
		}
		var sums, opposite [][]float64
		for _, c := range clusters {
			sum := 0.
			for _, d := range c {
				sum += d
			}
			sums, opposite = append(sums, []float64{sum}), append(opposite, negated(c))
		}
		if got := ClusteredPermutation(sums); got != p {
			t.Errorf("each cluster summed up: %+v, want %+v", got, p)
		}
		if got := ClusteredPermutation(opposite); math.Abs(got.P-p.P) > tolerance {
			t.Errorf("samples swapped: %+v, want %+v", got, p)
		}
	})
}

// TestSampledPermutationIsNearExact adds clusters that change nothing to the sum but the way of
// counting.
func TestSampledPermutationIsNearExact(t *testing.T) {
	var clusters [][]float64
	for i := range maxExactClusters {
		clusters = append(clusters, []float64{float64(i%5) - 1.5})
	}
	exact := ClusteredPermutation(clusters)
	drawn := ClusteredPermutation(append(clusters, []float64{1e-12}))
	if !exact.Exact || drawn.Exact || math.Abs(exact.P-drawn.P) > .015 {
		t.Errorf("exact %+v, drawn %+v", exact, drawn)
	}
}
