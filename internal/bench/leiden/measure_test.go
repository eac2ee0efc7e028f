package main

import "testing"

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{5, 1, 2}, 2}, {[]float64{4, 1, 2, 100}, 3}} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v: got %v, want %v", test.values, got, test.want)
		}
	}
}
