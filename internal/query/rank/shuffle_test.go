package rank_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
)

func TestShuffle(t *testing.T) {
	t.Parallel()
	numbers := func(n int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out
	}
	got := numbers(10)
	rank.Shuffle(7, got)
	// The order for a seed is part of what a run repeats, so it never changes.
	if diff := cmp.Diff([]int{9, 5, 8, 6, 1, 2, 4, 7, 0, 3}, got); diff != "" {
		t.Errorf("seed 7 (-want +got):\n%s", diff)
	}
	var first [5]int
	for seed := range uint64(5000) {
		items := numbers(5)
		rank.Shuffle(seed, items)
		first[items[0]]++
		slices.Sort(items)
		if diff := cmp.Diff(numbers(5), items); diff != "" {
			t.Fatalf("seed %d loses items (-want +got):\n%s", seed, diff)
		}
	}
	for i, n := range first {
		if n < 900 || n > 1100 {
			t.Errorf("item %d comes first %d times in 5000, want about 1000", i, n)
		}
	}
	rank.Shuffle(1, []int(nil))
}
