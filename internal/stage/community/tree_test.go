package community_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

func overlaps(t *testing.T, nodes int, pairs ...[2]uint32) *leiden.Graph {
	t.Helper()
	b := leiden.NewBuilder(nodes)
	for _, p := range pairs {
		if err := b.Add(p[0], p[1], 1); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTreeNumbersBySizeThenSmallestMember(t *testing.T) {
	t.Parallel()
	// The roots are {4,5}, {0,1} and {2,3,6}, of which the last one splits. Node 7 is
	// in no community.
	tree := community.NewTree(&leiden.Hierarchy{
		Order: []uint32{4, 5, 0, 1, 6, 2, 3},
		Levels: [][]leiden.Community{
			{{Parent: -1, First: 0, Last: 2, Final: true}, {Parent: -1, First: 2, Last: 4, Final: true}, {Parent: -1, First: 4, Last: 7}},
			{{Parent: 2, First: 4, Last: 5, Final: true}, {Parent: 2, First: 5, Last: 7, Final: true}},
		},
	}, 8)
	if diff := cmp.Diff([][]int{{2, 1, 0}, {1, 0}}, tree.Numbers); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	const out = community.Outside
	if diff := cmp.Diff([][]int32{{1, 1, 0, 0, 2, 2, 0, out}, {out, out, 0, 0, out, out, 1, out}}, tree.Homes); diff != "" {
		t.Errorf("homes (-want +got):\n%s", diff)
	}
	if tree.Finals() != 4 || tree.Largest(0) != 3 || tree.Largest(1) != 2 {
		t.Errorf("got %d final, largest %d and %d, want 4, 3, 2", tree.Finals(), tree.Largest(0), tree.Largest(1))
	}
}

func TestDisconnectedIsCounted(t *testing.T) {
	t.Parallel()
	g := overlaps(t, 6, [2]uint32{0, 1}, [2]uint32{2, 3}, [2]uint32{1, 4}, [2]uint32{4, 5}, [2]uint32{5, 2})
	tree := community.NewTree(&leiden.Hierarchy{
		Order: []uint32{0, 1, 2, 3, 4, 5},
		Levels: [][]leiden.Community{
			{{Parent: -1, First: 0, Last: 6}},
			{{Parent: 0, First: 0, Last: 4, Final: true}, {Parent: 0, First: 4, Last: 6, Final: true}},
		},
	}, 6)
	// 0-1 and 2-3 are connected only through 4 and 5.
	if got, err := tree.Disconnected(t.Context(), g); err != nil || got != 1 {
		t.Errorf("got %d, %v, want 1", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.Disconnected(ctx, g); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}
