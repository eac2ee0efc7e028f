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

func cluster(t rapid.TB, g *leiden.Graph, o leiden.Options) leiden.Partition {
	t.Helper()
	p, err := leiden.Cluster(context.Background(), g, o)
	if err != nil {
		t.Fatalf("cluster: %v", err)
	}
	return p
}

func hierarchy(t rapid.TB, g *leiden.Graph, o leiden.Options) *leiden.Hierarchy {
	t.Helper()
	h, err := leiden.BuildHierarchy(context.Background(), g, o)
	if err != nil {
		t.Fatalf("build hierarchy: %v", err)
	}
	return h
}

// checkPartition checks what holds for every partition: the numbering, that
// communities are connected, and what is reported about it.
func checkPartition(t rapid.TB, g *leiden.Graph, p leiden.Partition) {
	t.Helper()
	if len(p.Labels) != g.Nodes() {
		t.Fatalf("got %d labels for %d nodes", len(p.Labels), g.Nodes())
	}
	groups := byLabel(p.Labels, p.Communities)
	for c, members := range groups {
		if len(members) == 0 {
			t.Fatalf("community %d is empty", c)
		}
		if c > 0 && (len(groups[c-1]) < len(members) || len(groups[c-1]) == len(members) && groups[c-1][0] > members[0]) {
			t.Fatalf("community %d comes before %d", c-1, c)
		}
		if !connected(g, members) {
			t.Fatalf("community %d is not connected: %v", c, members)
		}
	}
}

func TestPartitions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		if rapid.IntRange(0, 3).Draw(t, "warm") == 0 {
			o.Previous = make([]uint32, s.nodes)
			for i := range o.Previous {
				o.Previous[i] = rapid.SampledFrom([]uint32{0, 1, 2, 3, 1 << 30, leiden.None}).Draw(t, "previous")
			}
		}
		p := cluster(t, s.graph, o)
		checkPartition(t, s.graph, p)
		want := modularity(s, p.Labels, gamma(o))
		if math.Abs(p.Modularity-want) > 1e-9 {
			t.Errorf("modularity: got %v, want %v", p.Modularity, want)
		}
		if got := leiden.Modularity(s.graph, p.Labels, gamma(o)); math.Abs(got-want) > 1e-9 {
			t.Errorf("Modularity: got %v, want %v", got, want)
		}
		left := bestMove(s, p.Labels, gamma(o))
		if math.Abs(p.Gain-left) > 1e-9 {
			t.Errorf("gain left: got %v, want %v", p.Gain, left)
		}
		if o.Effort == leiden.Stable && left > 1e-9 {
			t.Errorf("a move of one node would gain %v, want none above 1e-9", left)
		}
	})
}

func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t).BatchFrom(1)
		o.Workers = 1
		p, h := cluster(t, s.graph, o), hierarchy(t, s.graph, o)
		for _, o.Workers = range []int{1, 2, 3, 8} {
			if diff := cmp.Diff(p, cluster(t, s.graph, o)); diff != "" {
				t.Fatalf("%d workers, partition (-one +now):\n%s", o.Workers, diff)
			}
			if diff := cmp.Diff(h, hierarchy(t, s.graph, o)); diff != "" {
				t.Fatalf("%d workers, hierarchy (-one +now):\n%s", o.Workers, diff)
			}
		}
	})
}

func TestWorkersDoNotMatterOnRealGraphs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"PGPgiantcompo", "kg8k", "kg15k"} {
		g := load(t, name)
		for _, o := range []leiden.Options{{}, leiden.Options{}.BatchFrom(1000), leiden.Options{}.ReorderFrom(1000)} {
			o.Workers = 1
			want := hierarchy(t, g, o)
			for _, o.Workers = range []int{2, 3, 8} {
				if !cmp.Equal(want, hierarchy(t, g, o)) {
					t.Errorf("%s: %d workers give another hierarchy than one", name, o.Workers)
				}
			}
		}
	}
}

// Rows are far apart in none of the graphs of a test, or in all.
const (
	farNowhere    = 1 << 40
	farEverywhere = 1
)

// What is read ahead, and where sums are made, changes nothing.
func TestFarRowsDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t).BatchFrom(1)
		near, far := o.PrefetchFrom(farNowhere), o.PrefetchFrom(farEverywhere)
		if diff := cmp.Diff(cluster(t, s.graph, near), cluster(t, s.graph, far)); diff != "" {
			t.Fatalf("partition (-near +far):\n%s", diff)
		}
		if diff := cmp.Diff(hierarchy(t, s.graph, near), hierarchy(t, s.graph, far)); diff != "" {
			t.Fatalf("hierarchy (-near +far):\n%s", diff)
		}
	})
}

// Real graphs have rows that are too long for the table close by, and labels
// that share a place in it.
func TestFarRowsDoNotMatterOnRealGraphs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"celegans_metabolic", "PGPgiantcompo", "kg15k"} {
		g := load(t, name)
		for _, workers := range []int{1, 3} {
			o := leiden.Options{Workers: workers}.BatchFrom(1000)
			if !cmp.Equal(hierarchy(t, g, o.PrefetchFrom(farNowhere)), hierarchy(t, g, o.PrefetchFrom(farEverywhere))) {
				t.Errorf("%s, %d workers: another hierarchy where rows are far apart", name, workers)
			}
		}
	}
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
					t.Fatalf("root %v is no community of the partition %v", h.Order[c.First:c.Last], p.Labels)
				}
			}
		}
	})
}

// At a resolution of 1 no community has a single member: the node would gain
// by joining some neighbour.
func TestNoSingleMembers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		o.Resolution, o.Strict = 1, false
		if slices.ContainsFunc(s.edges, func(e edge) bool { return e.u == e.v }) {
			t.Skip("a node with a loop can do without neighbours")
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
