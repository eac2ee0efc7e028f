package rank

import (
	"cmp"
	"math"
	"slices"
)

// An Edge joins two nodes, numbered from 0. It is undirected.
type Edge struct {
	A, B   int
	Weight float64
}

// A Graph is an undirected, weighted graph in memory.
type Graph struct {
	start      []int // the neighbours of node i are neighbours[start[i]:start[i+1]]
	neighbours []int
	weights    []float64 // of the edges to the neighbours
	strength   []float64 // sum of each node's weights
}

// NewGraph returns a graph of n nodes. It ignores edges with an end out of range or a
// weight that is not positive and finite. The weights of repeated edges add up.
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
	// The sum of floating-point numbers depends on their order.
	slices.SortFunc(kept, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Weight, b.Weight))
	})
	g := Graph{start: make([]int, n+1), neighbours: make([]int, len(kept)), weights: make([]float64, len(kept)), strength: make([]float64, n)}
	for i, e := range kept {
		g.start[e.A+1]++
		g.neighbours[i], g.weights[i] = e.B, e.Weight
		g.strength[e.A] += e.Weight
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	return g
}

// Len returns the number of nodes.
func (g Graph) Len() int { return len(g.strength) }

// PersonalizedPageRank returns the personalised PageRank of each node: the share of time
// that a random walker spends there who follows an edge with probability damping, by
// weight, and else restarts at a seed, by the seed's weight. At a node without edges it
// always restarts. seeds are weights by node; those that are not positive and finite, or
// beyond the last node, are ignored. damping is between 0 and 1. The computation takes at
// most maxRounds rounds and stops when it has converged. The scores add up to 1, or are
// all 0 without a seed.
func PersonalizedPageRank(g Graph, seeds []float64, damping float64, maxRounds int) []float64 {
	n := g.Len()
	restart := make([]float64, n)
	total := 0.
	for i := range min(n, len(seeds)) {
		if seeds[i] > 0 && !math.IsInf(seeds[i], 0) {
			restart[i] = seeds[i]
			total += seeds[i]
		}
	}
	if total == 0 {
		return restart
	}
	for i := range restart {
		restart[i] /= total
	}
	now, next := slices.Clone(restart), make([]float64, n)
	for range maxRounds {
		change := g.step(now, next, restart, damping)
		now, next = next, now
		if change < convergence {
			break
		}
	}
	return now
}

// convergence is the change, summed over all nodes, below which the scores have
// converged.
const convergence = 1e-9

// step computes one round, from now to next, and returns the summed change. restart is
// the distribution of restarts.
func (g Graph) step(now, next, restart []float64, damping float64) (change float64) {
	restarting := 1 - damping // share of walkers that restart
	for i, sum := range g.strength {
		next[i] = 0
		if sum == 0 {
			restarting += damping * now[i]
		}
	}
	for i, sum := range g.strength {
		if sum == 0 || now[i] == 0 {
			continue
		}
		share := damping * now[i] / sum
		for at := g.start[i]; at < g.start[i+1]; at++ {
			next[g.neighbours[at]] += share * g.weights[at]
		}
	}
	for i := range next {
		next[i] += restarting * restart[i]
		change += math.Abs(next[i] - now[i])
	}
	return change
}
