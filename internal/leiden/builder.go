package leiden

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// A Builder collects edges in any order and builds a Graph from them. Edges between
// the same two nodes, in either direction, become one edge with the sum of their
// weights; edges of weight 0 are ignored. The graph does not depend on the order of
// the edges, to the last bit.
//
// Edges are kept in blocks. An edge takes 8 bytes, or 16 in a block with a weight other
// than 1. Build needs up to twice that in addition.
type Builder struct {
	nodes    int
	blocks   []block
	loops    []loop
	weighted bool // some weight is not 1
	inexact  bool // some weight is not exact in float32
}

// blockEdges is how many edges a block holds. Edges are stored in blocks so that they
// are not copied when more are added.
const blockEdges = 1 << 15

// A block holds some of the edges.
type block struct {
	ends    []uint32  // two per edge
	weights []float64 // nil while all are 1
}

type loop struct {
	node   uint32
	weight float64
}

// NewBuilder returns a builder of a graph with that many nodes.
func NewBuilder(nodes int) *Builder { return &Builder{nodes: nodes} }

// Grow raises the number of nodes to at least nodes. It never removes nodes.
func (b *Builder) Grow(nodes int) { b.nodes = max(b.nodes, nodes) }

// Rename gives node i of all edges added so far the number to[i]. If nodes were
// numbered in the order in which they were found, renaming makes the graph independent
// of that order.
func (b *Builder) Rename(to []uint32) error {
	if len(to) != b.nodes {
		return fmt.Errorf("rename nodes: %d new numbers for %d nodes: %w", len(to), b.nodes, ErrGraph)
	}
	seen := make([]bool, b.nodes)
	for _, v := range to {
		if int64(v) >= int64(b.nodes) || seen[v] {
			return fmt.Errorf("rename nodes: number %d is out of range or repeated: %w", v, ErrGraph)
		}
		seen[v] = true
	}
	for _, block := range b.blocks {
		for i, v := range block.ends {
			block.ends[i] = to[v]
		}
	}
	for i := range b.loops {
		b.loops[i].node = to[b.loops[i].node]
	}
	return nil
}

// Add adds an undirected edge. It returns an error, and adds nothing, if an id is out
// of range or the weight is negative, NaN or infinite.
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
		b.loops = append(b.loops, loop{u, weight})
		return nil
	}
	switch last := len(b.blocks) - 1; {
	case last < 0: // the first block grows, so that small graphs take little memory
		b.blocks = append(b.blocks, block{})
	case len(b.blocks[last].ends) >= 2*blockEdges:
		b.blocks = append(b.blocks, block{ends: make([]uint32, 0, 2*blockEdges)})
	}
	b.blocks[len(b.blocks)-1].add(u, v, weight)
	b.weighted = b.weighted || weight != 1
	b.inexact = b.inexact || float64(float32(weight)) != weight
	return nil
}

func (b *block) add(u, v uint32, weight float64) {
	if weight != 1 && b.weights == nil {
		b.weights = make([]float64, len(b.ends)/2, max(len(b.ends)/2+1, cap(b.ends)/2))
		for i := range b.weights {
			b.weights[i] = 1
		}
	}
	b.ends = append(b.ends, u, v)
	if b.weights != nil {
		b.weights = append(b.weights, weight)
	}
}

func (b *Builder) check() error {
	if b.nodes < 0 || int64(b.nodes) > maxNodes {
		return fmt.Errorf("build graph: %d nodes, want 0 to %d: %w", b.nodes, int64(maxNodes), ErrGraph)
	}
	return nil
}

// Build builds the graph. More edges may be added afterwards, for another Build.
func (b *Builder) Build() (*Graph, error) { return b.BuildContext(context.Background()) }

// BuildContext is Build with a context. It returns context.Cause(ctx) within a fraction
// of a second after ctx ends.
func (b *Builder) BuildContext(ctx context.Context) (*Graph, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	loops, err := b.sumLoops()
	if err != nil {
		return nil, err
	}
	stop, release := stopFlag(ctx)
	defer release()
	offsets := b.offsets()
	arcs := int(offsets[b.nodes])
	r := rows{offsets: offsets, adj: make([]uint32, arcs), stop: stop}
	switch {
	case !b.weighted:
		scatter[float32](b, &r, nil)
		err = r.sortUnitRows()
	case b.inexact:
		weights := make([]float64, arcs)
		scatter(b, &r, weights)
		r.weights = make([]float32, arcs)
		err = sumRows(&r, weights)
	default:
		r.weights = make([]float32, arcs)
		scatter(b, &r, r.weights)
		err = sumRows(&r, r.weights)
	}
	if stop.Load() {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.allOnes() {
		r.weights = nil
	}
	return newGraph(r.offsets, r.adj, r.weights, loops), nil
}

// sumLoops returns the weight of each node's loop, nil if no node has one.
func (b *Builder) sumLoops() ([]float64, error) {
	if len(b.loops) == 0 {
		return nil, nil
	}
	slices.SortFunc(b.loops, func(x, y loop) int {
		if x.node != y.node {
			return int(x.node) - int(y.node)
		}
		return compare(x.weight, y.weight)
	})
	sums := make([]float64, b.nodes)
	for _, l := range b.loops {
		sums[l.node] += l.weight
		if math.IsInf(float64(float32(sums[l.node])), 1) {
			return nil, fmt.Errorf("build graph: weights of the loops of node %d overflow: %w", l.node, ErrGraph)
		}
	}
	return sums, nil
}

func compare[W float32 | float64](x, y W) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// offsets returns where the row of each node begins, counting repeated edges.
func (b *Builder) offsets() []uint64 {
	offsets := make([]uint64, b.nodes+1)
	for _, block := range b.blocks {
		for _, v := range block.ends {
			offsets[v+1]++
		}
	}
	for i := range b.nodes {
		offsets[i+1] += offsets[i]
	}
	return offsets
}

// rows are arcs by source: first in the order of the edges, then sorted and summed in
// place.
type rows struct {
	offsets []uint64
	adj     []uint32
	weights []float32
	stop    *atomic.Bool
}

// scatter writes every edge into the rows of both its ends.
func scatter[W float32 | float64](b *Builder, r *rows, weights []W) {
	next := make([]uint64, b.nodes)
	copy(next, r.offsets)
	for _, block := range b.blocks {
		if r.stop.Load() {
			return
		}
		for i := 0; i < len(block.ends); i += 2 {
			u, v := block.ends[i], block.ends[i+1]
			at, back := next[u], next[v]
			next[u], next[v] = at+1, back+1
			r.adj[at], r.adj[back] = v, u
			if weights == nil {
				continue
			}
			w := W(1)
			if block.weights != nil {
				w = W(block.weights[i/2])
			}
			weights[at], weights[back] = w, w
		}
	}
}

// sortUnitRows sorts the rows of a graph whose edges all have weight 1. If some edge is
// repeated, it adds weights and sums them.
func (r *rows) sortUnitRows() error {
	repeated := false
	for u := range len(r.offsets) - 1 {
		if u%1024 == 0 && r.stop.Load() {
			return nil
		}
		row := r.adj[r.offsets[u]:r.offsets[u+1]]
		slices.Sort(row)
		for i := 1; i < len(row) && !repeated; i++ {
			repeated = row[i] == row[i-1]
		}
	}
	if !repeated {
		return nil
	}
	r.weights = make([]float32, len(r.adj))
	for i := range r.weights {
		r.weights[i] = 1
	}
	return sumRows(r, r.weights)
}

// sumRows sorts every row by neighbour and merges the arcs to the same neighbour into
// one. given holds the weights to sum; it may be r.weights itself.
func sumRows[W float32 | float64](r *rows, given []W) error {
	to, start := uint64(0), uint64(0)
	var order []uint64
	var sorted []W
	for u := range len(r.offsets) - 1 {
		if u%1024 == 0 && r.stop.Load() {
			return nil
		}
		end := r.offsets[u+1]
		row, weights := r.adj[start:end], given[start:end]
		order, sorted = order[:0], append(sorted[:0], weights...)
		for i, v := range row {
			order = append(order, uint64(v)<<32|uint64(i))
		}
		slices.Sort(order)
		for i, at := range order {
			weights[i] = sorted[uint32(at)]
		}
		for i := 0; i < len(order); {
			v, next := uint32(order[i]>>32), i+1
			for next < len(order) && uint32(order[next]>>32) == v {
				next++
			}
			weight, err := sumWeights(weights[i:next])
			if err != nil {
				return fmt.Errorf("build graph: weights of the edge %d to %d %w", u, v, err)
			}
			r.adj[to], r.weights[to] = v, weight
			to++
			i = next
		}
		start, r.offsets[u+1] = end, to
	}
	r.adj, r.weights = r.adj[:to:to], r.weights[:to:to]
	return nil
}

// sumWeights sums the weights of one edge in ascending order, so that the sum does not
// depend on the order of the edges. A sum that is 0 in float32 becomes the smallest
// positive float32, so that the edge is kept.
func sumWeights[W float32 | float64](weights []W) (float32, error) {
	if len(weights) > 1 {
		slices.SortFunc(weights, compare)
	}
	sum := 0.0
	for _, w := range weights {
		sum += float64(w)
	}
	if math.IsInf(float64(float32(sum)), 1) {
		return 0, fmt.Errorf("overflow: %w", ErrGraph)
	}
	return max(float32(sum), math.SmallestNonzeroFloat32), nil
}

// allOnes reports whether every weight is 1.
func (r *rows) allOnes() bool {
	for _, w := range r.weights {
		if w != 1 {
			return false
		}
	}
	return true
}
