package leiden

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func numbers(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

type arc struct {
	from, to uint32
	weight   float32
}

// arcsOf lists the arcs of a graph, sorted, with its nodes renamed.
func arcsOf(g *csr, name func(uint32) uint32) []arc {
	var arcs []arc
	for v := range uint32(g.nodes()) {
		row, weights := g.row(v)
		for i, u := range row {
			a := arc{from: name(v), to: name(u), weight: 1}
			if weights != nil {
				a.weight = weights[i]
			}
			arcs = append(arcs, a)
		}
	}
	slices.SortFunc(arcs, func(a, b arc) int {
		return slices.Compare([]uint32{a.from, a.to}, []uint32{b.from, b.to})
	})
	return arcs
}

// A reordered graph is the same graph, and its communities are ranges of nodes.
func TestSortByCommunity(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "nodes")
		g := drawGraph(t, n, 2*n) // few edges, for leaves and stars
		stop, release := stopFlag(t.Context())
		defer release()
		s := newSolver(Options{Resolution: 1, batchArcs: 1, reorderNodes: reorderNodes}, stop, nil)
		s.partition(&g.csr, make([]uint32, n), 1, plan{}, start{}) // merges leaves
		l := s.levels[s.base]
		before, names := *l.g, numbers(n)
		if s.leavesMerged {
			names = slices.Clone(s.levels[0].coarse)
		}
		for v := range l.comm {
			l.comm[v] = uint32(rapid.IntRange(0, n/4).Draw(t, "community") % len(l.comm))
		}
		comm, labels := l.comm, make([]uint32, len(l.comm))
		count := s.compact(comm, len(comm))
		want := slices.Clone(comm)
		s.sortByCommunity(l, labels, count)
		nameOf := make([]uint32, len(labels)) // name before sorting of each node after it
		for v, i := range s.levels[0].coarse {
			if int(i) < len(nameOf) { // not in a star
				nameOf[i] = names[v]
			}
		}
		sameGraph(t, &before, s.baseGraph(), nameOf)
		if !slices.IsSorted(labels) {
			t.Errorf("labels %v, want ranges", labels)
		}
		for i, v := range nameOf {
			if labels[i] != want[v] {
				t.Errorf("node %d: label %d, want %d", v, labels[i], want[v])
			}
		}
	})
}

// sameGraph fails the test if the graph now differs from before, with node i of now
// being node nameOf[i] of before.
func sameGraph(t *rapid.T, before, now *csr, nameOf []uint32) {
	got := arcsOf(now, func(v uint32) uint32 { return nameOf[v] })
	want := arcsOf(before, func(v uint32) uint32 { return v })
	if !slices.Equal(got, want) {
		t.Errorf("arcs are\n%v, want\n%v", got, want)
	}
	for i, v := range nameOf {
		if now.strength[i] != before.strength[v] || before.loops != nil && now.loops[i] != before.loops[v] {
			t.Errorf("node %d: strength or loop changed", v)
		}
	}
	if now.total != before.total || now.arcs != before.arcs {
		t.Errorf("total %v and %d arcs, want %v and %d", now.total, now.arcs, before.total, before.arcs)
	}
}
