package rank_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/rank"
)

func TestFuse(t *testing.T) {
	t.Parallel()
	got := rank.Fuse([]rank.List{{Keys: []string{"a", "b", "a"}, Weight: 2}, {Keys: []string{"c", "b"}}, {}}, 1)
	want := []rank.Scored{{"a", 1}, {"b", 2./3 + 1./3}, {"c", .5}}
	if diff := cmp.Diff(want, got, closely); diff != "" {
		t.Errorf("Fuse (-want +got):\n%s", diff)
	}
}

func TestLift(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		first, second []rank.Scored
		want          []rank.Scored
	}{
		{"nothing", nil, nil, []rank.Scored{}},
		{"the first alone", []rank.Scored{{"a", 4}, {"b", 2}}, nil, []rank.Scored{{"a", 1}, {"b", .5}}},
		{"a little lifts", []rank.Scored{{"a", 4}, {"b", 3.9}}, []rank.Scored{{"b", 9}}, []rank.Scored{{"b", 1.075}, {"a", 1}}},
		{"what only the second knows joins", []rank.Scored{{"a", 1}}, []rank.Scored{{"z", 5}}, []rank.Scored{{"a", 1}, {"z", .1}}},
		{"scores below zero stay", []rank.Scored{{"a", 1}, {"b", -.5}}, nil, []rank.Scored{{"a", 1}, {"b", -.5}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, rank.Lift(tt.first, tt.second, .1), closely); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestDiverse(t *testing.T) {
	t.Parallel()
	scores := []float64{1, .9, .8}
	twins := func(i, j int) float64 { // the first two say the same
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
		if diff := cmp.Diff(tt.want, rank.MMR(scores, twins, tt.lambda, tt.limit)); diff != "" {
			t.Errorf("Diverse with %v and %d (-want +got):\n%s", tt.lambda, tt.limit, diff)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]int{3, 0, 2, 1}, rank.Order([]float64{1, math.NaN(), 1, 5})); diff != "" {
		t.Errorf("Order (-want +got):\n%s", diff)
	}
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

// TestPackSectionsIsFull: never above the budget, and nothing is left out that
// would still fit.
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
