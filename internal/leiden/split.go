package leiden

import "slices"

// minParallelSplitArcs is the number of arcs from which splitting the roots in parallel
// pays off.
const minParallelSplitArcs = 4_000

// A subcommunity is a community found below a root. first and last are as in Community.
type subcommunity struct {
	level, first, last int
	final              bool
}

// splitRoots splits the roots, sorted by size, in parallel: each worker takes the
// largest that is left and permutes its stretch of order. It returns what it found
// below each root, in depth-first order.
func splitRoots(g *Graph, localID []uint64, order []uint32, roots []Community, s *solver, f *follower) [][]subcommunity {
	o := s.options
	o.Start = nil
	if o.Effort != Stable {
		o.Effort = Fast // below the roots a second iteration finds nothing better
	}
	trees := make([][]subcommunity, len(roots))
	large := 0 // number of roots to split
	for large < len(roots) && roots[large].Size() >= max(o.MaxSize, 2) {
		large++
	}
	splitters := make([]*splitter, s.team.size)
	// The first splitter reuses the memory of the root level.
	t := s.team
	s.options, s.team, s.scratch = o, nil, s.scratch[:1]
	splitters[0] = &splitter{solver: s, order: order, plan: o.plan(smallArcs), follower: f}
	t.forEach(large, func(worker, item int) {
		if s.stop.Load() {
			return
		}
		sp := splitters[worker]
		if sp == nil {
			sp = &splitter{solver: newSolver(o, s.stop, nil), order: order, plan: o.plan(smallArcs), follower: f}
			splitters[worker] = sp
		}
		sp.tree = sp.tree[:0]
		r := roots[item]
		members := order[r.First:r.Last]
		c := sp.subgraph(0)
		c.induce(&g.csr, members, localID)
		c.addLoops(&g.csr, members)
		sp.split(0, r.First, r.Last)
		trees[item] = slices.Clone(sp.tree)
	})
	for _, sp := range splitters[1:] {
		if sp != nil {
			sp.solver.release()
		}
	}
	return trees
}

// A splitter splits communities for one worker.
type splitter struct {
	solver    *solver
	plan      plan
	follower  *follower // nil without a start
	order     []uint32
	subgraphs []*subgraph
	tree      []subcommunity
}

// subgraph returns the memory for the subgraph at a depth below the root.
func (sp *splitter) subgraph(depth int) *subgraph {
	for len(sp.subgraphs) <= depth {
		sp.subgraphs = append(sp.subgraphs, &subgraph{prefetch: prefetcher{minNodes: sp.solver.options.prefetchNodes}})
	}
	return sp.subgraphs[depth]
}

// split clusters the subgraph at a depth, whose nodes are order[first:last], and splits
// its communities in turn. It reports whether it found more than one.
func (sp *splitter) split(depth, first, last int) bool {
	c := sp.subgraph(depth)
	n := last - first
	count, ok := sp.continueFrom(c, depth, sp.order[first:last])
	if !ok {
		count = sp.cluster(c, n)
	}
	if count <= 1 || sp.solver.stop.Load() {
		return false
	}
	sp.solver.scratch[0].canonicalize(c.labels, count)
	c.sortByCommunity(sp.order[first:last], count)
	sp.markMovedChildren(c, depth, sp.order[first:last], count)
	for i := range count {
		lo, hi := int(c.first[i]), int(c.first[i+1])
		at := len(sp.tree)
		sp.tree = append(sp.tree, subcommunity{level: depth + 1, first: first + lo, last: first + hi, final: true})
		if hi-lo < max(sp.solver.options.MaxSize, 2) {
			continue
		}
		child := sp.subgraph(depth + 1)
		child.induce(&c.csr, c.members[lo:hi], c.localID)
		child.addLoops(&c.csr, c.members[lo:hi])
		if sp.split(depth+1, first+lo, first+hi) {
			sp.tree[at].final = false
		}
	}
	return true
}

// sortByCommunity sorts the nodes of a subgraph and their entries in order by community,
// and fills in their local ids.
func (c *subgraph) sortByCommunity(order []uint32, count int) {
	n := len(order)
	c.first, c.members = resize(c.first, n+1), resize(c.members, n)
	c.nodes, c.localID = resize(c.nodes, n), resize(c.localID, n)
	sortByLabel(c.labels, count, c.first, c.members)
	copy(c.nodes, order)
	for i, v := range c.members {
		order[i] = c.nodes[v]
	}
	for i := range count {
		for j, v := range c.members[c.first[i]:c.first[i+1]] {
			c.localID[v] = uint64(i)<<32 | uint64(j)
		}
	}
}

// cluster partitions a subgraph of n nodes. With Options.Strict, a subgraph that is too
// large and does not split is tried again with doubled resolution. This ends, because at
// a high enough resolution each node is a community by itself.
func (sp *splitter) cluster(c *subgraph, n int) (count int) {
	o := sp.solver.options
	resolution := o.Resolution
	c.labels = resize(c.labels, n)
	for {
		count = sp.solver.partition(&c.csr, c.labels, resolution, sp.plan, start{})
		if count > 1 || !o.Strict || n <= o.MaxSize || sp.solver.stop.Load() {
			return count
		}
		resolution *= 2
	}
}
