package leiden

import (
	"errors"
	"math"
)

// none marks the absence of a label. No node has this id.
const none = math.MaxUint32

// maxNodes leaves none free.
const maxNodes = math.MaxUint32 - 1

// ErrGraph is matched by every error about the input of a graph: an id out of
// range, a weight that is negative, NaN or infinite, or a size that overflows.
var ErrGraph = errors.New("invalid graph")

// A Graph is undirected and weighted. Nodes are 0 to Nodes()-1. Weights are held
// as float32; every sum over them is made in float64. A Graph never changes
// once built and may be used by many goroutines.
type Graph struct {
	csr

	offsets []uint64
}

// csr is a graph in compressed sparse rows as the phases see it. Rows need not
// be adjacent to each other, so that rows of aggregates can be built in parallel
// without copying.
type csr struct {
	begin, end []uint64 // row i is adj[begin[i]:end[i]]
	adj        []uint32
	weights    []float32 // parallel to adj; nil: every weight is 1
	loops      []float64 // weight of the self loop of a node; nil: there are none
	strength   []float64 // sum of a node's weights, its loop counted twice
	arcs       int       // entries of adj in use: twice the number of edges
	total      float64   // sum of all strengths: twice the weight of all edges
}

func (g *csr) nodes() int { return len(g.begin) }

// row gives the neighbours of a node, and their weights or nil.
func (g *csr) row(v uint32) ([]uint32, []float32) {
	lo, hi := g.begin[v], g.end[v]
	if g.weights == nil {
		return g.adj[lo:hi], nil
	}
	return g.adj[lo:hi], g.weights[lo:hi]
}

// Nodes is the number of nodes.
func (g *Graph) Nodes() int { return g.nodes() }

// Edges is the number of undirected edges, self loops left out.
func (g *Graph) Edges() int { return g.arcs / 2 }

// Weight is the sum of the weights of all edges, self loops among them.
func (g *Graph) Weight() float64 { return g.total / 2 }

// Degree is the number of neighbours of a node, itself left out.
func (g *Graph) Degree(node uint32) int {
	return int(g.offsets[node+1] - g.offsets[node])
}

// Neighbors yields the neighbours of a node in ascending order, with the weight
// of the edge to each. The node's own loop is left out.
func (g *Graph) Neighbors(node uint32) func(yield func(uint32, float64) bool) {
	return func(yield func(uint32, float64) bool) {
		for i := g.begin[node]; i < g.end[node]; i++ {
			weight := 1.0
			if g.weights != nil {
				weight = float64(g.weights[i])
			}
			if !yield(g.adj[i], weight) {
				return
			}
		}
	}
}

// newGraph trusts its rows and adds what follows from them.
func newGraph(offsets []uint64, adj []uint32, weights []float32, loops []float64) *Graph {
	nodes := len(offsets) - 1
	g := &Graph{offsets: offsets, csr: csr{
		begin: offsets[:nodes:nodes], end: offsets[1:],
		adj: adj, arcs: len(adj), weights: weights, loops: loops, strength: make([]float64, nodes),
	}}
	for i := range nodes {
		sum := 0.0
		if weights == nil {
			sum = float64(offsets[i+1] - offsets[i])
		} else {
			for _, w := range weights[offsets[i]:offsets[i+1]] {
				sum += float64(w)
			}
		}
		if loops != nil {
			sum += 2 * loops[i]
		}
		g.strength[i] = sum
		g.total += sum
	}
	return g
}
