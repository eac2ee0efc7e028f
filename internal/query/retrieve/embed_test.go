package retrieve

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestMean(t *testing.T) {
	t.Parallel()
	half := float32(math.Sqrt(.5))
	for name, tt := range map[string]struct {
		vectors [][]float32
		want    []float32
	}{
		"one":           {[][]float32{{0, 1}}, []float32{0, 1}},
		"two":           {[][]float32{{1, 0}, {0, 1}}, []float32{half, half}},
		"the same":      {[][]float32{{0, 1}, {0, 1}}, []float32{0, 1}},
		"opposite":      {[][]float32{{1, 0}, {-1, 0}}, []float32{1, 0}},
		"without words": {[][]float32{{0, 1}, {0, 0}}, []float32{0, 1}},
	} {
		if diff := cmp.Diff(tt.want, mean(tt.vectors), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
