package communitycolor

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

func TestTree(t *testing.T) {
	all := []graph.Community{
		{Key: "a"},
		{Key: "b", Ordinal: 1},
		{Key: "aa", Parent: "a", Level: 1, Ordinal: 3},
		{Key: "ab", Parent: "a", Level: 1, Ordinal: 1},
		{Key: "aaa", Parent: "aa", Level: 2},
		{Key: "lost", Parent: "gone", Level: 2, Ordinal: 4},
	}
	colors := Tree(all)
	if len(colors) != len(all) {
		t.Fatalf("got %d colours for %d communities", len(colors), len(all))
	}
	for _, tt := range []struct {
		key  string
		want Color
	}{
		{"a", Root(0)}, {"aa", Root(0).Child(1, 3)}, {"aaa", Root(0).Child(1, 3).Child(2, 0)}, {"lost", Root(4)},
	} {
		if colors[tt.key] != tt.want {
			t.Errorf("%s is %v, want %v", tt.key, colors[tt.key], tt.want)
		}
	}
	slices.Reverse(all)
	for key, c := range Tree(all) {
		if c != colors[key] {
			t.Errorf("%s depends on the order", key)
		}
	}
	if colors["aa"].Hex() == colors["ab"].Hex() {
		t.Error("siblings have the same colour")
	}
}
