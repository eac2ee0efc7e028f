package leiden_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// startOf returns a hierarchy as a start for a graph with that many nodes.
func startOf(h *leiden.Hierarchy, nodes int) *leiden.Start {
	start := &leiden.Start{Changed: make([]bool, nodes)}
	for _, communities := range h.Levels {
		labels := make([]uint32, nodes)
		for v := range labels {
			labels[v] = leiden.None
		}
		for i, c := range communities {
			for _, v := range h.Order[c.First:c.Last] {
				labels[v] = uint32(i)
			}
		}
		start.Levels = append(start.Levels, labels)
	}
	return start
}

// sets returns the communities of a hierarchy, each as its level and members.
func sets(h *leiden.Hierarchy) map[string]bool {
	all := map[string]bool{}
	for level, communities := range h.Levels {
		for _, c := range communities {
			members := slices.Sorted(slices.Values(h.Order[c.First:c.Last]))
			key := []byte{byte(level)}
			for _, v := range members {
				key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			}
			all[string(key)] = true
		}
	}
	return all
}

// kept counts the communities of before that are in after too.
func kept(before, after *leiden.Hierarchy) (n, of int) {
	now := sets(after)
	for c := range sets(before) {
		of++
		if now[c] {
			n++
		}
	}
	return n, of
}

// TestHierarchyOfAnUnchangedGraph: a hierarchy that starts from itself stays as it is, at
// every level, whatever the effort and the seed.
func TestHierarchyOfAnUnchangedGraph(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"jazz", "PGPgiantcompo", "hep-th", "kg8k", "kg15k"} {
		g := load(t, name)
		for _, strict := range []bool{false, true} {
			before := hierarchy(t, g, leiden.Options{Effort: leiden.Fast, Strict: strict})
			for _, effort := range []leiden.Effort{leiden.Default, leiden.Fast} {
				after := hierarchy(t, g, leiden.Options{Effort: effort, Start: startOf(before, g.Nodes()), Seed: 1, Strict: strict})
				if n, of := kept(before, after); n != of || len(sets(after)) != of {
					t.Errorf("%s, %v, strict %v: %d of %d communities are kept, of %d now", name, effort, strict, n, of, len(sets(after)))
				}
			}
		}
	}
}

// change removes n random edges of a graph and adds as many between nodes with a common
// neighbour, and returns which nodes changed.
func change(n, nodes int, edges []edge, r *rand.Rand) ([]edge, []bool) {
	changed := make([]bool, nodes)
	edges = slices.Clone(edges)
	for range n {
		i := r.IntN(len(edges))
		e := edges[i]
		changed[e.u], changed[e.v] = true, true
		near := edges[r.IntN(len(edges))]
		edges[i] = edge{e.u, near.v, 1}
		if e.u == near.v {
			edges[i].v = near.u
		}
		changed[edges[i].v] = true
	}
	return edges, changed
}

// TestHierarchyAfterFewChanges: after few changes most communities stay, and the quality
// is near that of a hierarchy without a start, for several steps.
func TestHierarchyAfterFewChanges(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"hep-th", "kg8k", "kg15k"} {
		g := load(t, name)
		edges := edgesOf(g)
		r := rand.New(rand.NewPCG(1, 2))
		before := hierarchy(t, g, leiden.Options{})
		for step := range 10 {
			var changed []bool
			edges, changed = change(3, g.Nodes(), edges, r)
			g = build(t, g.Nodes(), edges)
			start := startOf(before, g.Nodes())
			start.Changed = changed
			after := hierarchy(t, g, leiden.Options{Start: start})
			checkHierarchy(t, g, after, leiden.Options{MaxSize: 10})
			n, of := kept(before, after)
			if of-n > 20 { // without a start about 700
				t.Errorf("%s, step %d: %d of %d communities changed", name, step, of-n, of)
			}
			fresh := hierarchy(t, g, leiden.Options{})
			if after.Modularity < fresh.Modularity-.01 {
				t.Errorf("%s, step %d: modularity %v, %v without a start", name, step, after.Modularity, fresh.Modularity)
			}
			before = after
		}
	}
}

// edgesOf returns the edges of a graph.
func edgesOf(g *leiden.Graph) []edge {
	var all []edge
	for u := range uint32(g.Nodes()) {
		for v, w := range g.Neighbors(u) {
			if u < v {
				all = append(all, edge{u, v, w})
			}
		}
	}
	return all
}

// TestChangesStayLocal: after changes in one part of a graph, communities of other
// connected components are those of before.
func TestChangesStayLocal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const size = 60
		random := func(label string, first uint32) []edge {
			var edges []edge
			for i, n := range rapid.SliceOfN(rapid.IntRange(0, size*size-1), 40, 200).Draw(t, label) {
				if u, v := first+uint32(n/size), first+uint32(n%size); u != v {
					edges = append(edges, edge{u, v, float64(i%3 + 1)})
				}
			}
			return edges
		}
		stays, goes, comes := random("stays", 0), random("goes", size), random("comes", size)
		o := leiden.Options{MaxSize: rapid.IntRange(2, 12).Draw(t, "maximum size"), Strict: rapid.Bool().Draw(t, "strict")}
		before := hierarchy(t, build(t, 2*size, slices.Concat(stays, goes)), o)
		g := build(t, 2*size, slices.Concat(stays, comes))
		o.Start = startOf(before, 2*size)
		for v := size; v < 2*size; v++ {
			o.Start.Changed[v] = true
		}
		after := hierarchy(t, g, o)
		checkHierarchy(t, g, after, o)
		now := sets(after)
		for level, communities := range before.Levels {
			for _, c := range communities {
				members := before.Order[c.First:c.Last]
				if slices.Max(members) >= size {
					continue
				}
				one := &leiden.Hierarchy{Levels: [][]leiden.Community{{{First: 0, Last: len(members)}}}, Order: members}
				for key := range sets(one) {
					if !now[string(byte(level))+key[1:]] {
						t.Fatalf("level %d: community %v is gone", level, members)
					}
				}
			}
		}
	})
}
