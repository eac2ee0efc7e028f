package leiden_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// A sample is a random graph with the edges it was built from.
type sample struct {
	nodes int
	edges []edge
	graph *leiden.Graph
}

var weighers = map[string]func(t *rapid.T) float64{
	"unit":    func(*rapid.T) float64 { return 1 },
	"counts":  func(t *rapid.T) float64 { return float64(rapid.IntRange(1, 40).Draw(t, "count")) },
	"uniform": func(t *rapid.T) float64 { return float64(float32(rapid.Float64Range(0.1, 3).Draw(t, "weight"))) },
	"wide": func(t *rapid.T) float64 {
		return float64(float32(math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "exponent"))))
	},
}

// draw makes a graph of groups that are denser inside than between, some of them trees,
// with leaves, several components and isolated nodes. Edges are distinct and their
// weights exact in float32.
func draw(t *rapid.T) sample {
	weigh := weighers[rapid.SampledFrom([]string{"unit", "counts", "uniform", "wide"}).Draw(t, "weights")]
	loops := rapid.IntRange(0, 4).Draw(t, "loops") == 0
	n := rapid.IntRange(1, 80).Draw(t, "nodes")
	groups := rapid.IntRange(1, 8).Draw(t, "groups")
	seen := make(map[[2]uint32]bool)
	s := sample{nodes: n}
	add := func(u, v int) {
		pair := [2]uint32{uint32(min(u, v)), uint32(max(u, v))}
		if !seen[pair] && (u != v || loops) {
			seen[pair] = true
			s.edges = append(s.edges, edge{pair[0], pair[1], weigh(t)})
		}
	}
	for v := 1; v < n; v++ {
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0: // isolated unless a later node links to it
		case 1, 2: // a leaf
			add(rapid.IntRange(0, v-1).Draw(t, "anywhere"), v)
		default:
			for range rapid.IntRange(1, 4).Draw(t, "degree") {
				u := rapid.IntRange(0, v).Draw(t, "neighbour")
				if rapid.IntRange(0, 5).Draw(t, "mixed") > 0 {
					u -= (u + groups - v%groups) % groups
				}
				add(max(u, 0), v)
			}
		}
	}
	s.graph = build(t, n, s.edges)
	return s
}

// options draws a value for every option that can change a result.
func options(t *rapid.T) leiden.Options {
	o := leiden.Options{
		Seed:       rapid.Uint64().Draw(t, "seed"),
		Effort:     leiden.Effort(rapid.IntRange(int(leiden.Default), int(leiden.Stable)).Draw(t, "effort")),
		MaxSize:    rapid.IntRange(2, 12).Draw(t, "max size"),
		Resolution: rapid.SampledFrom([]float64{0, 0.3, 1, 2, 5}).Draw(t, "resolution"),
		Strict:     rapid.Bool().Draw(t, "strict"),
		Workers:    rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "workers"),
	}
	if rapid.Bool().Draw(t, "batches") {
		o = o.BatchFrom(1)
	}
	if rapid.Bool().Draw(t, "reorder") {
		o = o.ReorderFrom(1)
	}
	return o
}

func gamma(o leiden.Options) float64 {
	if o.Resolution == 0 {
		return 1
	}
	return o.Resolution
}

// modularity computes modularity by its definition: a sum over communities,
// computed only from the edges.
func modularity(s sample, labels []uint32, resolution float64) float64 {
	inside, ends := map[uint32]float64{}, map[uint32]float64{}
	total := 0.0
	for _, e := range s.edges {
		total += e.w
		ends[labels[e.u]] += e.w
		ends[labels[e.v]] += e.w
		if labels[e.u] == labels[e.v] {
			inside[labels[e.u]] += e.w
		}
	}
	if total == 0 {
		return 0
	}
	q := 0.0
	for c, k := range ends {
		q += inside[c]/total - resolution*(k/(2*total))*(k/(2*total))
	}
	return q
}

// bestMove returns the most that moving any node to any community, or to a new one,
// adds to modularity.
func bestMove(s sample, labels []uint32, resolution float64) float64 {
	base := modularity(s, labels, resolution)
	best := 0.0
	communities := map[uint32]bool{math.MaxUint32: true}
	for _, c := range labels {
		communities[c] = true
	}
	moved := append([]uint32(nil), labels...)
	for v := range labels {
		for c := range communities {
			moved[v] = c
			best = max(best, modularity(s, moved, resolution)-base)
		}
		moved[v] = labels[v]
	}
	return best
}

// gainLeft computes the same as bestMove from sums over neighbours, for large graphs.
func gainLeft(s sample, labels []uint32, resolution float64) float64 {
	ends, strength, total := map[uint32]float64{}, make([]float64, s.nodes), 0.0
	to := make([]map[uint32]float64, s.nodes) // weights of the edges of a node, by community
	for v := range to {
		to[v] = map[uint32]float64{}
	}
	for _, e := range s.edges {
		total += 2 * e.w
		for _, ends := range [2][2]uint32{{e.u, e.v}, {e.v, e.u}} {
			strength[ends[0]] += e.w
			if e.u != e.v {
				to[ends[0]][labels[ends[1]]] += e.w
			}
		}
	}
	for v, k := range strength {
		ends[labels[v]] += k
	}
	best := 0.0
	for v, k := range strength {
		own := labels[v]
		stay := to[v][own] - resolution*k*(ends[own]-k)/total
		best = max(best, -stay) // alone
		for c, w := range to[v] {
			if c != own {
				best = max(best, w-resolution*k*ends[c]/total-stay)
			}
		}
	}
	if total == 0 {
		return 0
	}
	return 2 * best / total
}

// connected reports whether members induce a connected subgraph.
func connected(g *leiden.Graph, members []uint32) bool {
	inside := make(map[uint32]bool, len(members))
	for _, v := range members {
		inside[v] = true
	}
	reached := map[uint32]bool{members[0]: true}
	for next := []uint32{members[0]}; len(next) > 0; {
		v := next[len(next)-1]
		next = next[:len(next)-1]
		for u := range g.Neighbors(v) {
			if inside[u] && !reached[u] {
				reached[u] = true
				next = append(next, u)
			}
		}
	}
	return len(reached) == len(members)
}

func byLabel(labels []uint32, count int) [][]uint32 {
	groups := make([][]uint32, count)
	for v, c := range labels {
		groups[c] = append(groups[c], uint32(v))
	}
	return groups
}

// planted makes groups of nodes: each node gets inner edges to nodes of its group and
// outer edges to any nodes.
func planted(tb testing.TB, groups, size, inner, outer int) (int, []edge) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	n := groups * size
	var edges []edge
	for v := range n {
		for range inner {
			u := v/size*size + r.IntN(size)
			if u != v {
				edges = append(edges, edge{uint32(u), uint32(v), 1})
			}
		}
		for range outer {
			if u := r.IntN(n); u != v {
				edges = append(edges, edge{uint32(u), uint32(v), 1})
			}
		}
	}
	return n, edges
}
