package qcg

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		vectors [][]float32
		want    []float32
	}{
		{"none", nil, nil},
		{"one", [][]float32{{0, 2}}, []float32{0, 1}},
		{"two that differ", [][]float32{{1, 0}, {0, 1}}, []float32{.70710677, .70710677}},
		{"two that cancel each other out", [][]float32{{1, 0}, {-1, 0}}, nil},
	} {
		var m Mean
		for _, v := range tt.vectors {
			m.Add(v)
		}
		if diff := cmp.Diff(tt.want, m.Unit()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
