package index

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestLabelDiff compares the labels of two generations: of the entities that changed or left,
// those of a root community follow each other.
func TestLabelDiff(t *testing.T) {
	community := func(level, ordinal int, members ...string) graph.Community {
		return graph.Community{Level: level, Ordinal: ordinal, Label: graph.CommunityLabel("C", level, ordinal), Members: members}
	}
	old := newLabelTable([]graph.Community{community(0, 0, "a", "c", "e", "x"), community(0, 1, "b", "d"), community(1, 0, "a", "c")}, Labels{Max: 2})
	now := newLabelTable([]graph.Community{community(0, 0, "c", "e", "f"), community(0, 2, "a", "b", "d"), community(1, 0, "a", "d")}, Labels{Max: 2})
	keys := []string{"a", "b", "c", "d", "e", "f"}
	diff := now.since(old.compact(keys))
	want := []neo4jstore.EntityLabels{
		{Key: "c", Community: "C0_0", Communities: []int64{0}, Labels: []string{"C0_0"}},
		{Key: "f", Community: "C0_0", Communities: []int64{0}, Labels: []string{"C0_0"}},
		{Key: "a", Community: "C0_2", Communities: []int64{2, 0}, Labels: []string{"C0_2"}},
		{Key: "b", Community: "C0_2", Communities: []int64{2}, Labels: []string{"C0_2"}},
		{Key: "d", Community: "C0_2", Communities: []int64{2, 0}, Labels: []string{"C0_2"}},
		{Key: "x", Labels: []string{}},
	}
	if d := cmp.Diff(want, slices.Collect(diff.rows())); d != "" {
		t.Errorf("labels to write (-want +got):\n%s", d)
	}
	if diff.size() != len(want) {
		t.Errorf("size %d, want %d", diff.size(), len(want))
	}
}
