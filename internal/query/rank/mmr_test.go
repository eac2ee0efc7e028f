package rank_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
)

func TestMMR(t *testing.T) {
	t.Parallel()
	scores := []float64{1, .9, .8}
	similarity := func(i, j int) float64 { // the first two are equal
		if i+j == 1 {
			return 1
		}
		return 0
	}
	tests := []struct {
		lambda float64
		limit  int
		want   []int
	}{
		{1, 3, []int{0, 1, 2}}, {.5, 3, []int{0, 2, 1}}, {.5, 2, []int{0, 2}}, {.5, 0, []int{}}, {.5, 9, []int{0, 2, 1}}, {0, 3, []int{0, 2, 1}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, rank.MMR(scores, similarity, tt.lambda, tt.limit)); diff != "" {
			t.Errorf("MMR with lambda %v and limit %d (-want +got):\n%s", tt.lambda, tt.limit, diff)
		}
	}
}
