package rank

import (
	"cmp"
	"math"
	"slices"
)

// An Edge joins two nodes, named by their places from 0. It counts both ways.
type Edge struct {
	A, B   int
	Weight float64
}

// A Graph is an undirected, weighted graph in memory.
type Graph struct {
	start   []int // of each node's ends
	ends    []int
	weights []float64
	sums    []float64 // of each node's weights
}

// NewGraph makes a graph of n nodes. Edges that name no node, or whose weight is
// not a number above 0, are left out; of a pair named twice the weights add up.
func NewGraph(n int, edges []Edge) Graph {
	n = max(n, 0)
	kept := make([]Edge, 0, 2*len(edges))
	for _, e := range edges {
		if e.A < 0 || e.A >= n || e.B < 0 || e.B >= n || !(e.Weight > 0) || math.IsInf(e.Weight, 0) {
			continue
		}
		kept = append(kept, e)
		if e.A != e.B {
			kept = append(kept, Edge{e.B, e.A, e.Weight})
		}
	}
	// Sums of floating point depend on their order.
	slices.SortFunc(kept, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Weight, b.Weight))
	})
	g := Graph{start: make([]int, n+1), ends: make([]int, len(kept)), weights: make([]float64, len(kept)), sums: make([]float64, n)}
	for i, e := range kept {
		g.start[e.A+1]++
		g.ends[i], g.weights[i] = e.B, e.Weight
		g.sums[e.A] += e.Weight
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	return g
}

// Len is the number of nodes.
func (g Graph) Len() int { return len(g.sums) }

// PersonalizedPageRank is personalised PageRank: the share of time that a walker is at each
// node who follows an edge with probability damping, by weight, and else starts
// anew at a seed, by the seed's weight. It does at most so many rounds, and
// stops when nothing moves any more. The scores add up to 1; without a seed
// above 0 they are all 0. A walker at a node without edges starts anew.
// Damping is between 0 and 1; seeds beyond the graph are left out.
func PersonalizedPageRank(g Graph, seeds []float64, damping float64, rounds int) []float64 {
	n := g.Len()
	home := make([]float64, n)
	total := 0.
	for i := range min(n, len(seeds)) {
		if seeds[i] > 0 && !math.IsInf(seeds[i], 0) {
			home[i] = seeds[i]
			total += seeds[i]
		}
	}
	if total == 0 {
		return home
	}
	for i := range home {
		home[i] /= total
	}
	now, next := slices.Clone(home), make([]float64, n)
	for range rounds {
		moved := g.step(now, next, home, damping)
		now, next = next, now
		if moved < convergence {
			break
		}
	}
	return now
}

// convergence is the change, summed over all nodes, below which a walk has settled.
const convergence = 1e-9

// step moves the walkers once and says how much changed.
func (g Graph) step(now, next, home []float64, damping float64) (moved float64) {
	stay := 1 - damping
	for i, sum := range g.sums {
		next[i] = 0
		if sum == 0 {
			stay += damping * now[i]
		}
	}
	for i, sum := range g.sums {
		if sum == 0 || now[i] == 0 {
			continue
		}
		share := damping * now[i] / sum
		for at := g.start[i]; at < g.start[i+1]; at++ {
			next[g.ends[at]] += share * g.weights[at]
		}
	}
	for i := range next {
		next[i] += stay * home[i]
		moved += math.Abs(next[i] - now[i])
	}
	return moved
}
