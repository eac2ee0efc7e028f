package leiden_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

func hierarchy(t rapid.TB, g *leiden.Graph, o leiden.Options) *leiden.Hierarchy {
	t.Helper()
	h, err := leiden.BuildHierarchy(context.Background(), g, o)
	if err != nil {
		t.Fatalf("build hierarchy: %v", err)
	}
	return h
}

// checkHierarchy checks the shape of a hierarchy of g.
func checkHierarchy(t rapid.TB, g *leiden.Graph, h *leiden.Hierarchy, o leiden.Options) {
	t.Helper()
	var want []uint32
	for v := range uint32(g.Nodes()) {
		if g.Degree(v) > 0 {
			want = append(want, v)
		}
	}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(h.Order))); diff != "" {
		t.Fatalf("nodes in order (-want +got):\n%s", diff)
	}
	for level, communities := range h.Levels {
		at := 0
		for i, c := range communities {
			members := h.Order[c.First:c.Last]
			if !connected(g, members) {
				t.Fatalf("level %d: community %d is not connected", level, i)
			}
			if level == 0 {
				if c.Parent != -1 || c.First != at {
					t.Fatalf("root %d: got %+v, want it to begin at %d", i, c, at)
				}
				at = c.Last
			}
			if o.Strict && c.Final && c.Size() > o.MaxSize {
				t.Errorf("level %d: final community %d has %d members, want at most %d", level, i, c.Size(), o.MaxSize)
			}
			if c.Final && !slices.IsSorted(members) {
				t.Errorf("level %d: members of final community %d are not sorted: %v", level, i, members)
			}
			checkChildren(t, h, level, i, o)
		}
		if level == 0 && at != len(h.Order) {
			t.Fatalf("roots end at %d, want %d", at, len(h.Order))
		}
	}
}

func checkChildren(t rapid.TB, h *leiden.Hierarchy, level, i int, o leiden.Options) {
	t.Helper()
	c := h.Levels[level][i]
	var children []leiden.Community
	if level+1 < len(h.Levels) {
		for _, child := range h.Levels[level+1] {
			if child.Parent == i {
				children = append(children, child)
			}
		}
	}
	if c.Final != (len(children) == 0) {
		t.Fatalf("level %d: community %d has %d children and final is %v", level, i, len(children), c.Final)
	}
	if c.Final {
		return
	}
	if c.Size() < o.MaxSize || len(children) < 2 {
		t.Errorf("level %d: community %d of %d members has %d children", level, i, c.Size(), len(children))
	}
	at := c.First
	for n, child := range children {
		if child.First != at {
			t.Fatalf("level %d: child %d of %d begins at %d, want %d", level+1, n, i, child.First, at)
		}
		if n > 0 && children[n-1].Size() < child.Size() {
			t.Errorf("level %d: child %d of %d is larger than the one before", level+1, n, i)
		}
		at = child.Last
	}
	if at != c.Last {
		t.Fatalf("level %d: children of %d end at %d, want %d", level+1, i, at, c.Last)
	}
}

func TestHierarchies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		if rapid.IntRange(0, 3).Draw(t, "warm") == 0 {
			o.Start = drawStart(t, s.nodes)
		}
		h := hierarchy(t, s.graph, o)
		checkHierarchy(t, s.graph, h, o)
		p := cluster(t, s.graph, o)
		if math.Abs(h.Modularity-p.Modularity) > 1e-12 {
			t.Errorf("modularity of level 0: got %v, want %v", h.Modularity, p.Modularity)
		}
		sizes := make([]int, p.Communities)
		for _, c := range p.Labels {
			sizes[c]++
		}
		if len(h.Levels) == 0 {
			return
		}
		for _, c := range h.Levels[0] {
			label := p.Labels[h.Order[c.First]]
			for _, v := range h.Order[c.First:c.Last] {
				if p.Labels[v] != label || sizes[label] != c.Size() {
					t.Fatalf("root %v is not a community of the partition %v", h.Order[c.First:c.Last], p.Labels)
				}
			}
		}
	})
}
