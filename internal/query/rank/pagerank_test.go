package rank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/query/rank"
)

var approx6 = cmpopts.EquateApprox(0, 1e-6)

func TestPageRank(t *testing.T) {
	t.Parallel()
	edge := func(a, b uint32, weight float32) rank.Edge { return rank.Edge{A: a, B: b, Weight: weight} }
	// A chain of an entity (0), two chunks (1, 2) and a synonym of another kind (3).
	kinds := []rank.Edge{edge(0, 1, 1), edge(1, 2, 1), {A: 0, B: 3, Weight: 1, Kind: 1}}
	tests := []struct {
		name  string
		n     int
		edges []rank.Edge
		seeds []rank.Seed
		scale []float64
		want  []float64
	}{
		// From a: a = .5 + .5 b, b = .5 a.
		{"two nodes", 2, []rank.Edge{edge(0, 1, 3)}, []rank.Seed{{0, 7}, {1, 0}}, nil, []float64{2. / 3, 1. / 3}},
		// a = .5 + .5 (b + c), b = .5*3/4 a, c = .5*1/4 a.
		{"weights", 3, []rank.Edge{edge(0, 1, 3), edge(0, 2, 1)}, []rank.Seed{{0, 1}}, nil, []float64{2. / 3, .25, 1. / 12}},
		// Both start half of the walks: a = .25 + .5 b, b = .25 + .5 a.
		{"two seeds", 2, []rank.Edge{edge(0, 1, 1)}, []rank.Seed{{1, 2}, {0, 1}, {0, 1}}, nil, []float64{.5, .5}},
		{"a seed without edges", 2, nil, []rank.Seed{{0, 1}}, nil, []float64{1, 0}},
		// Half of the walks start at 2, and half of those again after each step.
		{"a seed with and one without edges", 3, []rank.Edge{edge(0, 1, 1)}, []rank.Seed{{0, 1}, {2, 1}}, nil, []float64{4. / 9, 2. / 9, 1. / 3}},
		{"no seed", 2, []rank.Edge{edge(0, 1, 1)}, []rank.Seed{{0, 0}, {1, -1}, {9, 1}}, nil, []float64{0, 0}},
		{"invalid edges", 2, []rank.Edge{edge(0, 5, 1), edge(0, 1, float32(math.NaN())), edge(0, 1, -1)}, []rank.Seed{{1, 1}}, nil, []float64{0, 1}},
		// a = .5 + .25 b + .5 s, b = .25 a + .5 c, c = .25 b, s = .25 a.
		{"kinds", 4, kinds, []rank.Seed{{0, 1}}, nil, []float64{28. / 45, 8. / 45, 2. / 45, 7. / 45}},
		// Without s: a = .5 + .25 b, b = .5 a + .5 c, c = .25 b.
		{"a kind with a scale of 0", 4, kinds, []rank.Seed{{0, 1}}, []float64{1, 0}, []float64{7. / 12, 1. / 3, 1. / 12, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := rank.PageRank(rank.NewGraph(tt.n, tt.edges), tt.seeds, rank.PageRankOptions{Cutoff: 1e-9, Scale: tt.scale})
			if diff := cmp.Diff(tt.want, got, approx6); diff != "" {
				t.Errorf("PageRank (-want +got):\n%s", diff)
			}
		})
	}
}

// The scores add up to 1, are never negative, and do not depend on the order of edges and
// seeds.
func TestPageRankIsADistribution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rank.Edge {
			return rank.Edge{A: uint32(node.Draw(t, "a")), B: uint32(node.Draw(t, "b")), Weight: rapid.Float32Range(.1, 9).Draw(t, "w"), Kind: rapid.Uint8Max(2).Draw(t, "kind")}
		}), 0, 30).Draw(t, "edges")
		seeds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rank.Seed {
			return rank.Seed{Node: uint32(node.Draw(t, "seed")), Weight: rapid.Float64Range(.1, 9).Draw(t, "share")}
		}), 1, 4).Draw(t, "seeds")
		o := rank.PageRankOptions{
			Damping: rapid.Float64Range(.01, .95).Draw(t, "damping"),
			Cutoff:  rapid.SampledFrom([]float64{1e-9, 1e-3, .5}).Draw(t, "cutoff"), Scale: []float64{1, 0, rapid.Float64Range(0, 3).Draw(t, "scale")},
		}
		want := rank.PageRank(rank.NewGraph(n, edges), seeds, o)
		sum := 0.
		for i, score := range want {
			if score < 0 {
				t.Fatalf("node %d has score %v", i, score)
			}
			sum += score
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("scores add up to %v", sum)
		}
		got := rank.PageRank(rank.NewGraph(n, rapid.Permutation(edges).Draw(t, "order")), rapid.Permutation(seeds).Draw(t, "order of seeds"), o)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order (-want +got):\n%s", diff)
		}
	})
}

// The default cutoff changes no score by more than a twentieth, or by more than 1e-6.
func TestPageRankIsExactEnough(t *testing.T) {
	t.Parallel()
	g, seeds := randomGraph(2000, 8000)
	want := rank.PageRank(g, seeds, rank.PageRankOptions{Cutoff: 1e-12})
	got := rank.PageRank(g, seeds, rank.PageRankOptions{})
	for i := range want {
		if math.Abs(want[i]-got[i]) > max(1e-6, want[i]/20) {
			t.Fatalf("node %d has score %v, exactly %v", i, got[i], want[i])
		}
	}
}

// randomGraph returns a graph with a few hubs, and five seeds.
func randomGraph(nodes, edges int) (rank.Graph, []rank.Seed) {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]rank.Edge, edges)
	for i := range list {
		hub := float64(nodes) * r.Float64() * r.Float64() * r.Float64()
		list[i] = rank.Edge{A: uint32(r.IntN(nodes)), B: uint32(hub), Weight: float32(1 + r.IntN(3))}
	}
	var seeds []rank.Seed
	for range 5 {
		seeds = append(seeds, rank.Seed{Node: uint32(r.IntN(nodes)), Weight: r.Float64()})
	}
	return rank.NewGraph(nodes, list), seeds
}

func BenchmarkPageRank(b *testing.B) {
	for _, edges := range []int{300_000, 2_000_000} {
		g, seeds := randomGraph(edges/3, edges)
		b.Run(fmt.Sprint(edges, " edges"), func(b *testing.B) {
			for b.Loop() {
				rank.PageRank(g, seeds, rank.PageRankOptions{})
			}
		})
	}
}
