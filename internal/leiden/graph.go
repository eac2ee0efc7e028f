package leiden

import (
	"errors"
	"math"
)

// none is the label of a node that has none. No node has this id.
const none = math.MaxUint32

// maxNodes is the largest number of nodes; it keeps the id none free.
const maxNodes = math.MaxUint32 - 1

// ErrGraph is matched by every error about the input of a graph: an id out of
// range, a weight that is negative, NaN or infinite, or a size that overflows.
var ErrGraph = errors.New("invalid graph")

// A Graph is undirected and weighted. Its nodes are 0 to Nodes()-1. Weights are
// stored as float32 and summed in float64. A Graph is immutable and safe for
// concurrent use.
type Graph struct {
	csr

	offsets []uint64
}

// csr is a graph in compressed sparse rows, the form in which the phases read it.
// Rows need not be adjacent in memory, so that the rows of an aggregate graph can
// be built in parallel without copying.
type csr struct {
	begin, end []uint64 // row i is adj[begin[i]:end[i]]
	adj        []uint32
	weights    []float32 // parallel to adj; nil: every weight is 1
	loops      []float64 // weight of each node's self loop; nil: no node has one
	strength   []float64 // sum of each node's edge weights, its loop counted twice
	arcs       int       // entries of adj in use: twice the number of edges
	total      float64   // sum of all strengths: twice the total edge weight
}

func (g *csr) nodes() int { return len(g.begin) }

// row returns the neighbours of a node and the weights of the edges to them, nil
// if all are 1.
func (g *csr) row(v uint32) ([]uint32, []float32) {
	lo, hi := g.begin[v], g.end[v]
	if g.weights == nil {
		return g.adj[lo:hi], nil
	}
	return g.adj[lo:hi], g.weights[lo:hi]
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return g.nodes() }

// Edges returns the number of undirected edges, not counting self loops.
func (g *Graph) Edges() int { return g.arcs / 2 }

// Weight returns the total weight of all edges, self loops included.
func (g *Graph) Weight() float64 { return g.total / 2 }

// Degree returns the number of neighbours of a node, not counting itself.
func (g *Graph) Degree(node uint32) int {
	return int(g.offsets[node+1] - g.offsets[node])
}

// Neighbors yields the neighbours of a node in ascending order, with the weight
// of the edge to each. It skips the node's self loop.
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

// newGraph computes strengths and the total weight of rows that it trusts to be
// sorted and symmetric.
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
