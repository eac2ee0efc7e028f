package rank_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/query/rank"
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
		{"continues after one that does not fit", itemsOf(5, 9, 4, 2, 1), 10, rank.Packed{Kept: []int{0, 2, 4}, LeftOut: []int{1, 3}, Tokens: 10}},
		{"no budget", itemsOf(1, 0), 0, rank.Packed{Kept: []int{1}, LeftOut: []int{0}}},
		{"negative budget and tokens", itemsOf(1, -5), -1, rank.Packed{LeftOut: []int{0, 1}}},
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
			t.Fatalf("kept %d tokens, reported %d, budget %d", got, p.Tokens, budget)
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

func TestPackSections(t *testing.T) {
	t.Parallel()
	section := func(share float64, tokens ...int) rank.Section {
		s := rank.Section{Share: share}
		for _, n := range tokens {
			s.Items = append(s.Items, rank.Item{Tokens: n})
		}
		return s
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
			s := rank.Section{Share: rapid.Float64Range(0, 3).Draw(t, "share")}
			for _, n := range rapid.SliceOfN(rapid.IntRange(0, 40), 0, 6).Draw(t, "tokens") {
				s.Items = append(s.Items, rank.Item{Tokens: n})
			}
			return s
		}), 1, 5).Draw(t, "sections")
		budget := rapid.IntRange(0, 200).Draw(t, "budget")
		packed := rank.PackSections(sections, budget)
		used := 0
		for i, p := range packed {
			used += p.Tokens
			if len(p.Kept)+len(p.LeftOut) != len(sections[i].Items) {
				t.Fatalf("section %d: %d kept, %d left of %d", i, len(p.Kept), len(p.LeftOut), len(sections[i].Items))
			}
		}
		if used > budget {
			t.Fatalf("%d tokens of %d", used, budget)
		}
		for i, p := range packed {
			for _, at := range p.LeftOut {
				if sections[i].Items[at].Tokens <= budget-used {
					t.Fatalf("section %d leaves out %d tokens where %d are free", i, sections[i].Items[at].Tokens, budget-used)
				}
			}
		}
	})
}
