package leiden_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// rows reads a graph back as compressed sparse rows.
func rows(g *leiden.Graph) (offsets []uint64, adj []uint32, weights []float32) {
	offsets = append(offsets, 0)
	for v := range uint32(g.Nodes()) {
		for u, w := range g.Neighbors(v) {
			adj, weights = append(adj, u), append(weights, float32(w))
		}
		offsets = append(offsets, uint64(len(adj)))
	}
	return offsets, adj, weights
}

// The order and direction of edges do not matter, and repeated ones sum.
func TestBuilderSums(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "nodes")
		want := make(map[[2]uint32]float32)
		var edges []edge
		for range rapid.IntRange(0, 60).Draw(t, "edges") {
			e := edge{uint32(rapid.IntRange(0, n-1).Draw(t, "u")), uint32(rapid.IntRange(0, n-1).Draw(t, "v")), float64(rapid.IntRange(0, 4).Draw(t, "weight"))}
			edges = append(edges, e)
			if e.u != e.v && e.w > 0 {
				want[[2]uint32{e.u, e.v}] += float32(e.w)
				want[[2]uint32{e.v, e.u}] += float32(e.w)
			}
		}
		g := build(t, n, edges)
		got := make(map[[2]uint32]float32)
		for u := range uint32(n) {
			last := -1
			for v, w := range g.Neighbors(u) {
				if int(v) <= last {
					t.Errorf("neighbour %d of %d comes after %d", v, u, last)
				}
				last = int(v)
				got[[2]uint32{u, v}] = float32(w)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("edges (-want +got):\n%s", diff)
		}
		if g.Nodes() != n || g.Edges() != len(want)/2 {
			t.Errorf("got %d nodes, %d edges, want %d, %d", g.Nodes(), g.Edges(), n, len(want)/2)
		}
		again := build(t, n, rapid.Permutation(edges).Draw(t, "order"))
		if !cmp.Equal(cluster(t, g, leiden.Options{}), cluster(t, again, leiden.Options{})) {
			t.Errorf("another order of edges gives another partition")
		}
	})
}

func TestFromCSR(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		offsets, adj, weights := rows(s.graph)
		g, err := leiden.FromCSR(offsets, adj, weights)
		if err != nil {
			t.Fatalf("rows of a graph: %v", err)
		}
		gotOffsets, gotAdj, gotWeights := rows(g)
		if !cmp.Equal(offsets, gotOffsets) || !cmp.Equal(adj, gotAdj) || !cmp.Equal(weights, gotWeights) {
			t.Errorf("got other rows back")
		}
		if len(adj) == 0 {
			return
		}
		// Any change of one number leaves rows that are not sorted and symmetric.
		i := rapid.IntRange(0, len(adj)-1).Draw(t, "position")
		was := adj[i]
		adj[i] = uint32(rapid.IntRange(0, g.Nodes()).Draw(t, "neighbour"))
		if _, err := leiden.FromCSR(offsets, adj, weights); adj[i] != was && !errors.Is(err, leiden.ErrGraph) {
			t.Errorf("neighbour %d for %d: got error %v, want %v", adj[i], was, err, leiden.ErrGraph)
		}
		adj[i] = was
		weights[i]++
		if _, err := leiden.FromCSR(offsets, adj, weights); !errors.Is(err, leiden.ErrGraph) && weights[i] != weights[i]-1 {
			t.Errorf("another weight one way: got error %v, want %v", err, leiden.ErrGraph)
		}
	})
}

func TestFromCSRRefuses(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := map[string]struct {
		offsets []uint64
		adj     []uint32
		weights []float32
	}{
		"offsets end early":   {[]uint64{0, 1, 1}, []uint32{1, 0}, nil},
		"offsets begin late":  {[]uint64{1, 1, 2}, []uint32{1, 0}, nil},
		"offsets descend":     {[]uint64{0, 2, 1, 2}, []uint32{1, 0}, nil},
		"offsets past end":    {[]uint64{0, 9, 2}, []uint32{1, 0}, nil},
		"neighbours no nodes": {nil, []uint32{0}, nil},
		"loop":                {[]uint64{0, 1}, []uint32{0}, nil},
		"out of range":        {[]uint64{0, 1, 2}, []uint32{2, 0}, nil},
		"one way":             {[]uint64{0, 1, 1}, []uint32{1}, nil},
		"unsorted":            {[]uint64{0, 2, 3, 4}, []uint32{2, 1, 0, 0}, nil},
		"repeated":            {[]uint64{0, 2, 4}, []uint32{1, 1, 0, 0}, nil},
		"too few weights":     {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{1}},
		"weights differ":      {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{1, 2}},
		"zero weight":         {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{0, 0}},
		"negative weight":     {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{-1, -1}},
		"weight not a number": {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{nan, nan}},
		"infinite weight":     {[]uint64{0, 1, 2}, []uint32{1, 0}, []float32{inf, inf}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := leiden.FromCSR(tt.offsets, tt.adj, tt.weights); !errors.Is(err, leiden.ErrGraph) {
				t.Errorf("got error %v, want %v", err, leiden.ErrGraph)
			}
		})
	}
	if g, err := leiden.FromCSR(nil, nil, nil); err != nil || g.Nodes() != 0 {
		t.Errorf("no rows: got %v, %v, want an empty graph", g, err)
	}
}
