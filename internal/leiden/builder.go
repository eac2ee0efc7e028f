package leiden

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// A Builder collects edges in any order and makes a Graph of them. Edges that
// join the same two nodes, in either direction, become one with the sum of
// their weights; edges of weight 0 leave no trace. The graph does not depend on
// the order in which edges came, to the last bit.
//
// An edge takes 8 bytes, 16 in stretches where not every weight is 1, and twice
// that again while Build works.
type Builder struct {
	nodes    int
	blocks   []block
	loops    []loop
	weighted bool // a weight is not 1
	inexact     bool // a weight is none of float32
}

// blockEdges is how many edges a block holds: blocks are never copied to grow.
const blockEdges = 1 << 15

// A block is a stretch of edges.
type block struct {
	ends    []uint32  // two per edge
	weights []float64 // nil while all are 1
}

type loop struct {
	node   uint32
	weight float64
}

// NewBuilder starts a graph of that many nodes.
func NewBuilder(nodes int) *Builder { return &Builder{nodes: nodes} }

// Grow makes room for nodes below that number. It never takes nodes away.
func (b *Builder) Grow(nodes int) { b.nodes = max(b.nodes, nodes) }

// Rename gives node i of the edges so far the number to[i]. Of a graph whose
// nodes are found one by one, that makes the order one that can be repeated.
func (b *Builder) Rename(to []uint32) error {
	if len(to) != b.nodes {
		return fmt.Errorf("rename nodes: %d names for %d nodes: %w", len(to), b.nodes, ErrGraph)
	}
	seen := make([]bool, b.nodes)
	for _, v := range to {
		if int64(v) >= int64(b.nodes) || seen[v] {
			return fmt.Errorf("rename nodes: number %d is out of range or given twice: %w", v, ErrGraph)
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
		b.loops = append(b.loops, loop{u, weight})
		return nil
	}
	switch last := len(b.blocks) - 1; {
	case last < 0: // of a small graph the block grows as it needs to
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
		return fmt.Errorf("build graph: %d nodes, 0 to %d are possible: %w", b.nodes, int64(maxNodes), ErrGraph)
	}
	return nil
}

// Build makes the graph. The builder can go on collecting afterwards.
func (b *Builder) Build() (*Graph, error) { return b.BuildContext(context.Background()) }

// BuildContext is Build, and returns the context's error within a fraction of a
// second when that ends first.
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

// sumLoops gives the weight of each node's loop, nil if no node has one.
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

// offsets are where the rows of nodes begin, repeated edges counted.
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

// rows are arcs by source. They come in the order of the edges, and are then
// sorted and summed in place.
type rows struct {
	offsets []uint64
	adj     []uint32
	weights []float32
	stop    *atomic.Bool
}

// scatter puts every edge into the rows of both its ends.
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

// sortUnitRows sorts the rows of a graph whose edges all weigh 1. Weights appear
// with the first edge that stands there twice.
func (r *rows) sortUnitRows() error {
	twice := false
	for u := range len(r.offsets) - 1 {
		if u%1024 == 0 && r.stop.Load() {
			return nil
		}
		row := r.adj[r.offsets[u]:r.offsets[u+1]]
		slices.Sort(row)
		for i := 1; i < len(row) && !twice; i++ {
			twice = row[i] == row[i-1]
		}
	}
	if !twice {
		return nil
	}
	r.weights = make([]float32, len(r.adj))
	for i := range r.weights {
		r.weights[i] = 1
	}
	return sumRows(r, r.weights)
}

// sumRows sorts every row by neighbour and then by weight, and makes one arc of
// those to the same neighbour. The given weights may be those of the rows.
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

// sumWeights sums the weights of one edge in an order of its own. What is too small
// for float32 stays an edge.
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
