package rank_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/rank"
)

var approx6 = cmpopts.EquateApprox(0, 1e-6)

func TestPersonalizedPageRank(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		n     int
		edges []rank.Edge
		seeds []float64
		want  []float64
	}{
		// From a: a = .5 + .5 b, b = .5 a.
		{"two nodes", 2, []rank.Edge{{0, 1, 3}}, []float64{7, 0}, []float64{2. / 3, 1. / 3}},
		// a = .5 + .5 (b + c), b = .5*3/4 a, c = .5*1/4 a.
		{"weights", 3, []rank.Edge{{0, 1, 3}, {0, 2, 1}}, []float64{1}, []float64{2. / 3, .25, 1. / 12}},
		{"a seed without edges", 2, nil, []float64{1}, []float64{1, 0}},
		{"no seed", 2, []rank.Edge{{0, 1, 1}}, []float64{0, -1}, []float64{0, 0}},
		{"invalid edges", 2, []rank.Edge{{0, 5, 1}, {0, 1, math.NaN()}, {0, 1, -1}}, []float64{0, 1}, []float64{0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := rank.PersonalizedPageRank(rank.NewGraph(tt.n, tt.edges), tt.seeds, .5, 100)
			if diff := cmp.Diff(tt.want, got, approx6); diff != "" {
				t.Errorf("PersonalizedPageRank (-want +got):\n%s", diff)
			}
		})
	}
}

// The scores add up to 1, are never negative, and do not depend on the order of edges.
func TestPersonalizedPageRankIsADistribution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		node := rapid.IntRange(0, n-1)
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) rank.Edge {
			return rank.Edge{A: node.Draw(t, "a"), B: node.Draw(t, "b"), Weight: rapid.Float64Range(.1, 9).Draw(t, "w")}
		}), 0, 30).Draw(t, "edges")
		seeds := make([]float64, n)
		seeds[node.Draw(t, "seed")] = 1
		damping := rapid.Float64Range(0, .95).Draw(t, "damping")
		want := rank.PersonalizedPageRank(rank.NewGraph(n, edges), seeds, damping, 30)
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
		got := rank.PersonalizedPageRank(rank.NewGraph(n, rapid.Permutation(edges).Draw(t, "order")), seeds, damping, 30)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order of edges (-want +got):\n%s", diff)
		}
	})
}
