package rank_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/query/rank"
)

func TestPack(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		tokens []int
		budget int
		want   rank.Packed
	}{
		{"nothing", nil, 10, rank.Packed{}},
		{"all", []int{3, 7}, 10, rank.Packed{Kept: []int{0, 1}, Tokens: 10}},
		{"continues after one that does not fit", []int{5, 9, 4, 2, 1}, 10, rank.Packed{Kept: []int{0, 2, 4}, LeftOut: []int{1, 3}, Tokens: 10}},
		{"no budget", []int{1, 0}, 0, rank.Packed{Kept: []int{1}, LeftOut: []int{0}}},
		{"negative budget and tokens", []int{1, -5}, -1, rank.Packed{LeftOut: []int{0, 1}}},
	} {
		if diff := cmp.Diff(tc.want, rank.Pack(tc.tokens, tc.budget)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestWindows(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		tokens []int
		budget int
		want   [][]int
	}{
		{"nothing", nil, 10, nil},
		{"in order", []int{4, 6, 5, 5, 1}, 10, [][]int{{0, 1}, {2, 3}, {4}}},
		{"too large alone", []int{1, 20, 1, 0}, 10, [][]int{{0}, {1}, {2, 3}}},
		{"no budget", []int{1, 1}, 0, [][]int{{0}, {1}}},
	} {
		if diff := cmp.Diff(tc.want, rank.Windows(tc.tokens, tc.budget)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestPackingKeepsTheBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOf(rapid.IntRange(0, 30)).Draw(t, "tokens")
		budget := rapid.IntRange(0, 60).Draw(t, "budget")
		sum := func(places []int) (n int) {
			for _, i := range places {
				n += tokens[i]
			}
			return n
		}
		p := rank.Pack(tokens, budget)
		if got := sum(p.Kept); got != p.Tokens || got > budget {
			t.Fatalf("kept %d tokens, reported %d, budget %d", got, p.Tokens, budget)
		}
		for _, i := range p.LeftOut {
			before := 0
			for _, k := range p.Kept {
				if k < i {
					before += tokens[k]
				}
			}
			if before+tokens[i] <= budget {
				t.Fatalf("item %d would have fitted", i)
			}
		}
		all := slices.Concat(p.Kept, p.LeftOut)
		slices.Sort(all)
		windows := slices.Concat(rank.Windows(tokens, budget)...)
		for i := range tokens {
			if all[i] != i || windows[i] != i {
				t.Fatalf("packed %v, windows %v of %d items", all, windows, len(tokens))
			}
		}
		for _, w := range rank.Windows(tokens, budget) {
			if len(w) == 0 || len(w) > 1 && sum(w) > budget {
				t.Fatalf("window %v of %d tokens, budget %d", w, sum(w), budget)
			}
		}
	})
}

func TestPackSections(t *testing.T) {
	t.Parallel()
	section := func(share float64, tokens ...int) rank.Section {
		return rank.Section{Tokens: tokens, Share: share}
	}
	// The report of 60 has no room in a share of 50, the smaller one after it
	// has; what the claims leave goes to the reports, then to the sources.
	got := rank.PackSections([]rank.Section{section(1, 60, 20), section(1), section(2, 30, 30, 30, 30)}, 200)
	want := []rank.Packed{{Kept: []int{0, 1}, LeftOut: nil, Tokens: 80}, {}, {Kept: []int{0, 1, 2, 3}, LeftOut: nil, Tokens: 120}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("PackSections (-want +got):\n%s", diff)
	}
	got = rank.PackSections([]rank.Section{section(1, 60, 20), section(0, 10), section(1, 90, 40)}, 100)
	want = []rank.Packed{{Kept: []int{1}, LeftOut: []int{0}, Tokens: 20}, {Kept: []int{0}, Tokens: 10}, {Kept: []int{1}, LeftOut: []int{0}, Tokens: 40}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("PackSections with little room (-want +got):\n%s", diff)
	}
}

// Sections never exceed the budget, and nothing is left out that would still fit.
func TestPackSectionsIsFull(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sections := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rank.Section {
			return rank.Section{
				Share:  rapid.Float64Range(0, 3).Draw(t, "share"),
				Tokens: rapid.SliceOfN(rapid.IntRange(0, 40), 0, 6).Draw(t, "tokens"),
			}
		}), 1, 5).Draw(t, "sections")
		budget := rapid.IntRange(0, 200).Draw(t, "budget")
		packed := rank.PackSections(sections, budget)
		used := 0
		for i, p := range packed {
			used += p.Tokens
			if len(p.Kept)+len(p.LeftOut) != len(sections[i].Tokens) {
				t.Fatalf("section %d: %d kept, %d left of %d", i, len(p.Kept), len(p.LeftOut), len(sections[i].Tokens))
			}
		}
		if used > budget {
			t.Fatalf("%d tokens of %d", used, budget)
		}
		for i, p := range packed {
			for _, at := range p.LeftOut {
				if sections[i].Tokens[at] <= budget-used {
					t.Fatalf("section %d leaves out %d tokens where %d are free", i, sections[i].Tokens[at], budget-used)
				}
			}
		}
	})
}
