package leiden_test

import (
	"math"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A partition is the roots of a hierarchy, and a community of its own for each node without an
// edge, after the others.
type partition struct {
	Labels      []uint32
	Communities int
	Modularity  float64
}

// cluster returns the roots of a hierarchy in which no community is split.
func cluster(t rapid.TB, g *leiden.Graph, o leiden.Options) partition {
	t.Helper()
	o.MaxSize = g.Nodes() + 1
	h := hierarchy(t, g, o)
	p := partition{Labels: make([]uint32, g.Nodes()), Modularity: h.Modularity}
	if len(h.Levels) > 1 {
		t.Fatalf("got %d levels, want at most one", len(h.Levels))
	}
	for _, level := range h.Levels {
		for _, root := range level {
			for _, v := range h.Order[root.First:root.Last] {
				p.Labels[v] = uint32(p.Communities)
			}
			p.Communities++
		}
	}
	for v := range uint32(g.Nodes()) {
		if g.Degree(v) == 0 {
			p.Labels[v] = uint32(p.Communities)
			p.Communities++
		}
	}
	return p
}

// checkPartition checks what holds for every partition: communities are numbered in
// order, not empty, and connected.
func checkPartition(t rapid.TB, g *leiden.Graph, p partition) {
	t.Helper()
	if len(p.Labels) != g.Nodes() {
		t.Fatalf("got %d labels for %d nodes", len(p.Labels), g.Nodes())
	}
	groups := byLabel(p.Labels, p.Communities)
	for c, members := range groups {
		if len(members) == 0 {
			t.Fatalf("community %d is empty", c)
		}
		isRoot := g.Degree(members[0]) > 0
		if c > 0 && isRoot && (len(groups[c-1]) < len(members) || len(groups[c-1]) == len(members) && groups[c-1][0] > members[0]) {
			t.Fatalf("community %d comes before %d", c-1, c)
		}
		if !connected(g, members) {
			t.Fatalf("community %d is not connected: %v", c, members)
		}
	}
}

// drawStart returns any labels to start from, on up to three levels.
func drawStart(t *rapid.T, nodes int) *leiden.Start {
	start := &leiden.Start{}
	for range rapid.IntRange(1, 3).Draw(t, "levels of the start") {
		labels := make([]uint32, nodes)
		for i := range labels {
			labels[i] = rapid.SampledFrom([]uint32{0, 1, 2, 3, 1 << 30, leiden.None}).Draw(t, "label")
		}
		start.Levels = append(start.Levels, labels)
	}
	if rapid.Bool().Draw(t, "changed nodes are known") {
		start.Changed = make([]bool, nodes)
		for i := range start.Changed {
			start.Changed[i] = rapid.IntRange(0, 3).Draw(t, "changed") == 0
		}
	}
	return start
}

func TestPartitions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		if rapid.IntRange(0, 3).Draw(t, "warm") == 0 {
			o.Start = drawStart(t, s.nodes)
		}
		p := cluster(t, s.graph, o)
		checkPartition(t, s.graph, p)
		want := modularity(s, p.Labels, gamma(o))
		if math.Abs(p.Modularity-want) > 1e-9 {
			t.Errorf("modularity: got %v, want %v", p.Modularity, want)
		}
		left := bestMove(s, p.Labels, gamma(o))
		if got := gainLeft(s, p.Labels, gamma(o)); math.Abs(got-left) > 1e-9 {
			t.Errorf("gain left: got %v, want %v", got, left)
		}
		if o.Effort == leiden.Stable && left > 1e-9 {
			t.Errorf("a move of one node would gain %v, want none above 1e-9", left)
		}
	})
}
