package leiden

import (
	"fmt"
	"math"
)

// A Builder collects edges in any order and makes a Graph of them. Edges that
// join the same two nodes, in either direction, become one with the sum of
// their weights; edges of weight 0 leave no trace.
type Builder struct {
	nodes   int
	ends    []uint32 // two per edge
	weights []float64
	loops   []float64 // nil until the first loop
}

// NewBuilder starts a graph of that many nodes.
func NewBuilder(nodes int) *Builder { return &Builder{nodes: nodes} }

// Add adds an undirected edge. It refuses ids out of range and weights that are
// negative, NaN or infinite, and is then as if it had not been called.
func (b *Builder) Add(u, v uint32, weight float64) error {
	if err := b.check(); err != nil {
		return err
	}
	switch {
	case int64(u) >= int64(b.nodes) || int64(v) >= int64(b.nodes):
		return fmt.Errorf("add edge %d to %d: graph has %d nodes: %w", u, v, b.nodes, ErrGraph)
	case !(weight >= 0) || math.IsInf(weight, 1):
		return fmt.Errorf("add edge %d to %d: weight %v: %w", u, v, weight, ErrGraph)
	case weight == 0:
		return nil
	case u == v:
		if b.loops == nil {
			b.loops = make([]float64, b.nodes)
		}
		b.loops[u] += weight
		return nil
	}
	b.ends = append(b.ends, u, v)
	b.weights = append(b.weights, weight)
	return nil
}

func (b *Builder) check() error {
	if b.nodes < 0 || int64(b.nodes) > maxNodes {
		return fmt.Errorf("build graph: %d nodes, 0 to %d are possible: %w", b.nodes, int64(maxNodes), ErrGraph)
	}
	return nil
}

// Build makes the graph. The builder can go on collecting afterwards.
func (b *Builder) Build() (*Graph, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	for i, w := range b.loops {
		if math.IsInf(float64(float32(w)), 1) {
			return nil, fmt.Errorf("build graph: weights of the loops of node %d overflow: %w", i, ErrGraph)
		}
	}
	offsets, adj, sums := b.rows()
	offsets, adj, sums = merge(offsets, adj, sums)
	weights := make([]float32, len(sums))
	unit := true
	for i, w := range sums {
		weights[i] = float32(w)
		if math.IsInf(float64(weights[i]), 1) {
			return nil, fmt.Errorf("build graph: weights of the edge to node %d overflow: %w", adj[i], ErrGraph)
		}
		// What is too small for float32 must stay an edge.
		weights[i] = max(weights[i], math.SmallestNonzeroFloat32)
		unit = unit && weights[i] == 1
	}
	if unit {
		weights = nil
	}
	var loops []float64
	if b.loops != nil {
		loops = append(loops, b.loops...)
	}
	return newGraph(offsets, adj, weights, loops), nil
}

// rows sorts the arcs by source and, within one, by target: a counting sort by
// target, then a stable one by source. Repeated edges keep the order they were
// added in, so both their directions sum to the same bits.
func (b *Builder) rows() (offsets []uint64, adj []uint32, weights []float64) {
	arcs := len(b.ends)
	offsets = make([]uint64, b.nodes+1)
	for _, v := range b.ends {
		offsets[v+1]++
	}
	for i := range b.nodes {
		offsets[i+1] += offsets[i]
	}
	next := make([]uint64, b.nodes)
	copy(next, offsets)
	byTarget := make([]uint64, arcs) // arc 2i runs from ends[2i], arc 2i+1 the other way
	for i := range arcs {
		target := b.ends[i^1]
		byTarget[next[target]] = uint64(i)
		next[target]++
	}
	copy(next, offsets)
	adj, weights = make([]uint32, arcs), make([]float64, arcs)
	for _, i := range byTarget {
		source := b.ends[i]
		adj[next[source]], weights[next[source]] = b.ends[i^1], b.weights[i/2]
		next[source]++
	}
	return offsets, adj, weights
}

// merge sums equal neighbours of sorted rows in place.
func merge(offsets []uint64, adj []uint32, weights []float64) ([]uint64, []uint32, []float64) {
	to, start := uint64(0), uint64(0)
	for u := range len(offsets) - 1 {
		row := to
		for i := start; i < offsets[u+1]; i++ {
			if to > row && adj[to-1] == adj[i] {
				weights[to-1] += weights[i]
				continue
			}
			adj[to], weights[to] = adj[i], weights[i]
			to++
		}
		start, offsets[u+1] = offsets[u+1], to
	}
	return offsets, adj[:to:to], weights[:to:to]
}
