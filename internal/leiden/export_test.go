package leiden

import (
	"slices"
)

// BatchFrom lowers the number of arcs from which nodes are moved in batches and phases
// run in parallel.
func (o Options) BatchFrom(arcs int) Options {
	o.batchArcs = arcs
	return o
}

// PrefetchFrom sets the number of nodes from which rows are prefetched.
func (o Options) PrefetchFrom(nodes int) Options {
	o.prefetchNodes = nodes
	return o
}

// ReorderFrom lowers the number of nodes from which a graph is reordered.
func (o Options) ReorderFrom(nodes int) Options {
	o.reorderNodes = nodes
	return o
}

// Equal reports whether two graphs are equal, to the last bit.
func (g *Graph) Equal(o *Graph) bool {
	return slices.Equal(g.offsets, o.offsets) && slices.Equal(g.adj, o.adj) && slices.Equal(g.weights, o.weights) &&
		(g.weights == nil) == (o.weights == nil) && slices.Equal(g.loops, o.loops)
}
