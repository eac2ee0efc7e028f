package stats

import (
	"math"
	"testing"
)

// The expected values of the tests in this file were printed by SciPy 1.17.1 (scipy.stats), by
// statsmodels 0.15.0 (holm) and by scikit-learn 1.9.1 (kappa), with NumPy 2.4.6.

const tolerance = 1e-6

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// scattered are 60 differences, with ties.
func scattered() []float64 {
	out := make([]float64, 60)
	for i := range out {
		out[i] = float64((i+1)*37%101-40) / 4
	}
	return out
}

// TestSignedRankAsSciPy compares Z with wilcoxon(zero_method="wilcox", correction=False,
// method="asymptotic"), and P with method="exact", with PermutationMethod(n_resamples=inf) where
// there are ties, and for more than 50 pairs with "asymptotic".
func TestSignedRankAsSciPy(t *testing.T) {
	alternating := make([]float64, 50)
	for i := range alternating {
		n := i + 1
		alternating[i] = float64(n)
		if n*n%7 >= 4 {
			alternating[i] = -float64(n)
		}
	}
	for _, c := range []struct {
		name         string
		differences  []float64
		z, p         float64
		pairs, equal int
		exact        bool
	}{
		{"Darwin's plants", []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}, 2.0446626032894333, 0.041259765625, 15, 0, true},
		{"ties and zeros", []float64{40, 20, -20, 60, 100, 0, 0, 20, -40, 100, 20}, 1.7361845862588239, 0.1015625, 9, 2, true},
		{"two", []float64{1, -2}, -0.4472135954999579, 1, 2, 0, true},
		{"six of one sign", []float64{1, 2, 3, 4, 5, 6}, 2.2013981571160284, 0.03125, 6, 0, true},
		{"all tied", []float64{10, 10, 10, 10, 10, 10, 10, 10}, 2.8284271247461903, 0.0078125, 8, 0, true},
		{"fifty", alternating, 2.84289056963408, 0.003913313547160513, 50, 0, true},
		{"sixty", scattered(), 2.638102147123696, 0.00833714647154324, 59, 1, false},
		{"none", nil, 0, 1, 0, 0, false},
		{"zeros", []float64{0, 0}, 0, 1, 0, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := SignedRank(c.differences)
			near(t, "|Z|", math.Abs(got.Z), math.Abs(c.z))
			near(t, "P", got.P, c.p)
			if got.Pairs != c.pairs || got.Equal != c.equal || got.Exact != c.exact {
				t.Errorf("%+v, want %d pairs, %d equal, exact %v", got, c.pairs, c.equal, c.exact)
			}
		})
	}
}

func TestHolmAsStatsmodels(t *testing.T) {
	want := []float64{.05, .09, .09, .03, .5, .08}
	for i, p := range Holm([]float64{.01, .04, .03, .005, .5, .02}) {
		near(t, "corrected", p, want[i])
	}
}

func TestShapiroWilkAsSciPy(t *testing.T) {
	series := func(n int, f func(i float64) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = f(float64(i + 1))
		}
		return out
	}
	for _, c := range []struct {
		name   string
		values []float64
		w, p   float64
	}{
		// The weights of eleven men, of Shapiro and Wilk (1965), who print W = .79.
		{"men", []float64{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236}, 0.7888146948631716, 0.006703814061898823},
		{"three", []float64{1, 2, 4}, 0.9642857142857142, 0.6368868450289689},
		{"three with a tie", []float64{0, 0, 1}, .75, 0},
		{"three at even distances", []float64{0, 1, 2}, 1, 1},
		{"four", []float64{1, 2, 3, 10}, 0.8068856643251408, 0.11515298127551521},
		{"five", []float64{2.1, 3.2, 1.9, 4.4, 2.8}, 0.9312166250909332, 0.6046903741110601},
		{"twelve squares", series(12, func(i float64) float64 { return i * i }), 0.9162924415139415, 0.25667346795551826},
		{"sixty", scattered(), 0.9536964993600967, 0.023318338575765877},
		{"scores", []float64{0, 20, 40, 40, 60, 60, 80, 100, 100, 100, 100, 100, 50, 50}, 0.8904527351510112, 0.08205611377293497},
		{"hundred", series(100, func(i float64) float64 { return math.Sin(i)*10 + math.Mod(i, 7) }), 0.9435199170986281, 0.0003181568872298363},
		{"exponential", series(40, func(i float64) float64 { return math.Exp(i / 10) }), 0.8158866751998579, 1.4776616148801838e-05},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := ShapiroWilk(c.values)
			if !ok {
				t.Fatal("not tested")
			}
			near(t, "W", got.W, c.w)
			near(t, "P", got.P, c.p)
			if got.W > 1 || got.P > 1 {
				t.Errorf("%+v, want at most 1", got)
			}
		})
	}
	for _, values := range [][]float64{nil, {1, 2}, {5, 5, 5, 5}, make([]float64, 5001)} {
		if _, ok := ShapiroWilk(values); ok {
			t.Errorf("%d values were tested", len(values))
		}
	}
}

func TestKappaAsScikitLearn(t *testing.T) {
	k, ok := Kappa([]int{1, 2, 0, 1, 1, 2, 0, 1, 2, 2, 1, 0}, []int{1, 2, 0, 2, 1, 1, 0, 1, 2, 0, 1, 0})
	if !ok {
		t.Error("not defined")
	}
	near(t, "kappa", k, 0.6210526315789473)
	k, _ = Kappa([]string{"a", "a", "b", "b"}, []string{"b", "b", "a", "a"})
	near(t, "kappa of opposites", k, -1)
	for _, labels := range [][]int{nil, {1, 1}} {
		if _, ok := Kappa(labels, labels); ok {
			t.Errorf("kappa of %v is defined", labels)
		}
	}
}

// TestClusteredPermutationAsSciPy compares with permutation_test(permutation_type="samples",
// n_resamples=inf) of the sums of clusters.
func TestClusteredPermutationAsSciPy(t *testing.T) {
	got := ClusteredPermutation([][]float64{{50, -50, 50}, {50, 50}, {0, 50, 50}, {-50}, {50, 50, 50, 50}, {20, 30}, {50, 0}, {-50, 50}})
	near(t, "P", got.P, 0.078125)
	if !got.Exact {
		t.Error("not exact")
	}
}

func TestNormalAsSciPy(t *testing.T) {
	for p, want := range map[float64]float64{1e-10: -6.361340902404056, 1e-4: -3.7190164854556804, .025: -1.9599639845400545, .5: 0, .9: 1.2815515655446004, 1 - 1e-6: 4.753424308817087} {
		near(t, "quantile", NormalQuantile(p), want)
	}
	for z, want := range map[float64]float64{-8.85: 8.751929598618033e-19, -3.42: 0.0006262113571623993, 0: 1, .5: 0.6170750774519738, 3: 0.0026997960632601866} {
		if got := TwoSided(z); math.Abs(got-want) > 1e-9*want {
			t.Errorf("TwoSided(%v) = %v, want %v", z, got, want)
		}
	}
	near(t, "NormalCDF(-1.96)", NormalCDF(-1.96), 0.024997895148220435)
}

// TestBootstrapAsSciPy compares with bootstrap(method="percentile", n_resamples=200000) of the
// mean of 20 values, of which 13 are 1.
func TestBootstrapAsSciPy(t *testing.T) {
	got := Bootstrap([]float64{1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1})
	if want := (Interval{Mean: .65, Low: .45, High: .85}); math.Abs(got.Mean-want.Mean)+math.Abs(got.Low-want.Low)+math.Abs(got.High-want.High) > tolerance {
		t.Errorf("%+v, want %+v", got, want)
	}
}
