package rank_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/rank"
)

func itemsOf(tokens ...int) []rank.Item {
	items := make([]rank.Item, len(tokens))
	for i, n := range tokens {
		items[i].Tokens = n
	}
	return items
}

func TestPack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		items  []rank.Item
		budget int
		want   rank.Packed
	}{
		{"nothing", nil, 10, rank.Packed{}},
		{"all", itemsOf(3, 7), 10, rank.Packed{Kept: []int{0, 1}, Tokens: 10}},
		{"goes on after one that does not fit", itemsOf(5, 9, 4, 2, 1), 10, rank.Packed{Kept: []int{0, 2, 4}, LeftOut: []int{1, 3}, Tokens: 10}},
		{"no budget", itemsOf(1, 0), 0, rank.Packed{Kept: []int{1}, LeftOut: []int{0}}},
		{"below none", itemsOf(1, -5), -1, rank.Packed{LeftOut: []int{0, 1}}},
	} {
		if diff := cmp.Diff(tc.want, rank.Pack(tc.items, tc.budget)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestWindows(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		items  []rank.Item
		budget int
		want   [][]int
	}{
		{"nothing", nil, 10, nil},
		{"in order", itemsOf(4, 6, 5, 5, 1), 10, [][]int{{0, 1}, {2, 3}, {4}}},
		{"too large alone", itemsOf(1, 20, 1, 0), 10, [][]int{{0}, {1}, {2, 3}}},
		{"no budget", itemsOf(1, 1), 0, [][]int{{0}, {1}}},
	} {
		if diff := cmp.Diff(tc.want, rank.Windows(tc.items, tc.budget)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestPackingKeepsTheBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := itemsOf(rapid.SliceOf(rapid.IntRange(0, 30)).Draw(t, "tokens")...)
		budget := rapid.IntRange(0, 60).Draw(t, "budget")
		sum := func(places []int) (n int) {
			for _, i := range places {
				n += items[i].Tokens
			}
			return n
		}
		p := rank.Pack(items, budget)
		if got := sum(p.Kept); got != p.Tokens || got > budget {
			t.Fatalf("kept %d tokens, says %d, budget %d", got, p.Tokens, budget)
		}
		for _, i := range p.LeftOut {
			before := 0
			for _, k := range p.Kept {
				if k < i {
					before += items[k].Tokens
				}
			}
			if before+items[i].Tokens <= budget {
				t.Fatalf("item %d would have fitted", i)
			}
		}
		all := slices.Concat(p.Kept, p.LeftOut)
		slices.Sort(all)
		windows := slices.Concat(rank.Windows(items, budget)...)
		for i := range items {
			if all[i] != i || windows[i] != i {
				t.Fatalf("packed %v, windows %v of %d items", all, windows, len(items))
			}
		}
		for _, w := range rank.Windows(items, budget) {
			if len(w) == 0 || len(w) > 1 && sum(w) > budget {
				t.Fatalf("window %v of %d tokens, budget %d", w, sum(w), budget)
			}
		}
	})
}

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
