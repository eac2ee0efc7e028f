package rank_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
)

func TestOrder(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]int{3, 0, 2, 1}, rank.Order([]float64{1, math.NaN(), 1, 5})); diff != "" {
		t.Errorf("Order (-want +got):\n%s", diff)
	}
}
