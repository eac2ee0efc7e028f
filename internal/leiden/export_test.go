package leiden

// InBatches lowers the size from which nodes are moved in batches, and phases
// run in parallel.
func (o Options) InBatches(arcs int) Options {
	o.batchArcs = arcs
	return o
}
