package score

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	second := 1 / math.Log2(3)
	tests := []struct {
		name  string
		ranks []int
		want  Metrics
	}{
		{"first", []int{1}, Metrics{Questions: 1, Recall1: 1, Recall3: 1, Recall5: 1, Recall10: 1, Hit5: 1, MRR: 1, NDCG: 1}},
		{"second", []int{2}, Metrics{Questions: 1, Recall3: 1, Recall5: 1, Recall10: 1, Hit5: 1, MRR: .5, NDCG: second}},
		{"one of two, sixth", []int{0, 6}, Metrics{Questions: 1, Recall10: .5, MRR: 1. / 6, NDCG: 1 / math.Log2(7) / (1 + second)}},
		{"both", []int{1, 3}, Metrics{Questions: 1, Recall1: .5, Recall3: 1, Recall5: 1, Recall10: 1, Hit5: 1, MRR: 1, NDCG: (1 + .5) / (1 + second)}},
		{"none", []int{0}, Metrics{Questions: 1}},
		{"nothing was searched for", nil, Metrics{Questions: 1}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, MetricsOf(tt.ranks), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestMetricsAreOrdered checks that metrics are from 0 to 1, that recall does not fall
// with the cut, and that another document before all evidence improves nothing.
func TestMetricsAreOrdered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.IntRange(1, 40), 1, 15, rapid.ID).Draw(t, "ranks")
		f := MetricsOf(list)
		for _, v := range []float64{f.Recall1, f.Recall3, f.Recall5, f.Recall10, f.Hit5, f.MRR, f.NDCG} {
			if v < 0 || v > 1+1e-9 {
				t.Fatalf("out of range: %+v", f)
			}
		}
		if f.Recall1 > f.Recall3 || f.Recall3 > f.Recall5 || f.Recall5 > f.Recall10 {
			t.Fatalf("recall falls: %+v", f)
		}
		later := make([]int, len(list))
		for i, r := range list {
			later[i] = r + 1
		}
		g := MetricsOf(later)
		if g.MRR > f.MRR || g.NDCG > f.NDCG+1e-9 || g.Recall10 > f.Recall10 || g.Hit5 > f.Hit5 {
			t.Fatalf("later evidence has better metrics: %+v, before %+v", g, f)
		}
	})
}
