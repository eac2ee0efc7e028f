package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBootstrapIsNearNormal compares the intervals with those of the normal distribution, which many
// differences have.
func TestBootstrapIsNearNormal(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // test data
	var of []float64
	sum, squares := 0., 0.
	for range 400 {
		x := .1 + .5*draw.NormFloat64()
		of, sum, squares = append(of, x), sum+x, squares+x*x
	}
	n := float64(len(of))
	mean := sum / n
	half := 1.96 * math.Sqrt((squares/n-mean*mean)/n)
	got := Bootstrap(of)
	for name, pair := range map[string][2]float64{"mean": {mean, got.Mean}, "low": {mean - half, got.Low}, "high": {mean + half, got.High}} {
		if math.Abs(pair[0]-pair[1]) > .1*half {
			t.Errorf("%s: %v, want about %v", name, pair[1], pair[0])
		}
	}
	if again := Bootstrap(of); again != got {
		t.Errorf("again: %v, want %v", again, got)
	}
	if d := Bootstrap([]float64{.25, .25, .25}); d != (Interval{.25, .25, .25}) {
		t.Errorf("of equal differences: %v", d)
	}
	if d := Bootstrap(nil); d != (Interval{}) {
		t.Errorf("of none: %v", d)
	}
}
