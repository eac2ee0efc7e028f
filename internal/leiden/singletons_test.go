package leiden_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// At a resolution of 1 no community has a single member, since that would gain by
// joining some neighbour.
func TestNoSingleMembers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		o.Resolution, o.Strict = 1, false
		if slices.ContainsFunc(s.edges, func(e edge) bool { return e.u == e.v }) {
			t.Skip("a node with a loop may be a community by itself")
		}
		for level, communities := range hierarchy(t, s.graph, o).Levels {
			for i, c := range communities {
				if c.Size() < 2 {
					t.Errorf("level %d: community %d has %d members", level, i, c.Size())
				}
			}
		}
	})
}

// A singleton that is left at the end of a sweep joins a neighbour, even if its gain is
// far below the tolerance of local moving.
func TestNoSingletonIsLeft(t *testing.T) {
	t.Parallel()
	g := build(t, 9, []edge{
		{0, 1, 3162.277587890625},
		{0, 2, 10},
		{1, 2, 10},
		{0, 3, 10},
		{0, 4, 10},
		{1, 4, 10},
		{0, 5, 10},
		{0, 6, 10},
		{0, 7, 93057.203125},
		{0, 8, 0.10000000149011612},
		{1, 8, 0.0003162277571391314},
	})
	for level, communities := range hierarchy(t, g, leiden.Options{MaxSize: 2, Workers: 1}).Levels {
		for i, c := range communities {
			if c.Size() < 2 {
				t.Errorf("level %d: community %d has %d members", level, i, c.Size())
			}
		}
	}
}
