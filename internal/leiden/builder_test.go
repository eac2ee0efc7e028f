package leiden_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// The order and direction of edges do not matter, and repeated edges sum.
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

func TestBuilderRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		nodes int
		edges []edge
	}{
		"source out of range": {2, []edge{{2, 0, 1}}},
		"target out of range": {2, []edge{{0, 2, 1}}},
		"no nodes":            {0, []edge{{0, 0, 1}}},
		"negative weight":     {2, []edge{{0, 1, -1}}},
		"weight NaN":          {2, []edge{{0, 1, math.NaN()}}},
		"infinite weight":     {2, []edge{{0, 1, math.Inf(1)}}},
		"weight too large":    {2, []edge{{0, 1, 1e39}}},
		"sum too large":       {2, []edge{{0, 1, 3e38}, {1, 0, 3e38}}},
		"loops too large":     {2, []edge{{1, 1, 3e38}, {1, 1, 3e38}}},
		"negative size":       {-1, nil},
		"size too large":      {math.MaxUint32, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := leiden.NewBuilder(tt.nodes)
			var err error
			for _, e := range tt.edges {
				if err == nil {
					err = b.Add(e.u, e.v, e.w)
				}
			}
			if err == nil {
				_, err = b.Build()
			}
			if !errors.Is(err, leiden.ErrGraph) {
				t.Errorf("got error %v, want %v", err, leiden.ErrGraph)
			}
		})
	}
}

func TestEmptyGraphs(t *testing.T) {
	t.Parallel()
	for _, nodes := range []int{0, 1, 3} {
		g := build(t, nodes, nil)
		h, err := leiden.BuildHierarchy(context.Background(), g, leiden.Options{})
		if err != nil || len(h.Levels) != 0 || len(h.Order) != 0 || h.Modularity != 0 {
			t.Errorf("%d nodes: got %+v, %v, want no communities", nodes, h, err)
		}
	}
}

// The graph is the same for any order of edges, and after renaming, even with loops,
// weights whose sum depends on the order, and weights that are not exact in float32.
func TestOrderOfEdgesDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "nodes")
		weight := rapid.SampledFrom([]float64{1, 0.1, 0.7, 1e-9, 3e7, 1.0 / 3})
		if rapid.Bool().Draw(t, "narrow") {
			weight = rapid.SampledFrom([]float64{1, 1 + 1.0/(1<<23), 1 << 24, 1.0 / (1 << 20)})
		}
		edges := make([]edge, rapid.IntRange(0, 40).Draw(t, "edges"))
		node := rapid.Uint32Range(0, uint32(n-1))
		for i := range edges {
			edges[i] = edge{node.Draw(t, "u"), node.Draw(t, "v"), weight.Draw(t, "weight")}
		}
		g := build(t, n, edges)
		again := build(t, n, rapid.Permutation(edges).Draw(t, "order"))
		if !g.Equal(again) {
			t.Fatal("another order of edges gives another graph")
		}
		names := make([]uint32, n)
		for i := range names {
			names[i] = uint32(i)
		}
		names = rapid.Permutation(names).Draw(t, "names")
		b := leiden.NewBuilder(0)
		b.Grow(n)
		back := make([]uint32, n)
		for i, name := range names {
			back[name] = uint32(i)
		}
		for _, e := range edges {
			if err := b.Add(names[e.u], names[e.v], e.w); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Rename(back); err != nil {
			t.Fatal(err)
		}
		renamed, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if !g.Equal(renamed) {
			t.Fatal("renamed nodes give another graph")
		}
	})
}

func TestRenameRefuses(t *testing.T) {
	t.Parallel()
	for name, to := range map[string][]uint32{"too few": {0}, "twice": {1, 1}, "out of range": {0, 2}} {
		if err := leiden.NewBuilder(2).Rename(to); !errors.Is(err, leiden.ErrGraph) {
			t.Errorf("%s: got error %v, want %v", name, err, leiden.ErrGraph)
		}
	}
}

func TestBuildIsCanceled(t *testing.T) {
	t.Parallel()
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	b := leiden.NewBuilder(2)
	if err := b.Add(0, 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.BuildContext(ctx); !errors.Is(err, stopped) {
		t.Errorf("got error %v, want the cause", err)
	}
}
