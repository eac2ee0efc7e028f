package leiden

import "slices"

// minParallelSplitArcs is the number of arcs from which dividing the roots in parallel
// pays.
const minParallelSplitArcs = 4_000

// A branch is a community found below a root, in depth first order.
type branch struct {
	level, first, last int
	final              bool
}

// splitRoots divides the roots, each member of the team of s taking the largest that
// is left, and gives what lies below each root. A root's part of order is
// permuted by the member that divides it.
func splitRoots(g *Graph, place []uint64, order []uint32, roots []Community, s *solver) [][]branch {
	o := s.options
	o.Previous = nil
	if o.Effort != Stable {
		o.Effort = Fast // below the roots another iteration finds nothing better
	}
	trees := make([][]branch, len(roots))
	large := 0 // roots are sorted by size
	for large < len(roots) && roots[large].Size() >= max(o.MaxSize, 2) {
		large++
	}
	splitters := make([]*splitter, s.team.size)
	// The memory that the root level needed serves the first of them.
	t := s.team
	s.options, s.team, s.scratch = o, nil, s.scratch[:1]
	splitters[0] = &splitter{solver: s, order: order, plan: o.plan(smallArcs)}
	t.forEach(large, func(member, item int) {
		if s.stop.Load() {
			return
		}
		sp := splitters[member]
		if sp == nil {
			sp = &splitter{solver: newSolver(o, s.stop, nil), order: order, plan: o.plan(smallArcs)}
			splitters[member] = sp
		}
		sp.tree = sp.tree[:0]
		r := roots[item]
		members := order[r.First:r.Last]
		c := sp.subgraph(0)
		c.induce(&g.csr, members, place)
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

// A splitter divides communities for one member of a team.
type splitter struct {
	solver  *solver
	plan    plan
	order   []uint32
	subgraphs []*subgraph
	tree    []branch
}

func (sp *splitter) subgraph(depth int) *subgraph {
	for len(sp.subgraphs) <= depth {
		sp.subgraphs = append(sp.subgraphs, &subgraph{prefetch: prefetcher{minNodes: sp.solver.options.prefetchNodes}})
	}
	return sp.subgraphs[depth]
}

// split clusters the cutout of that depth, whose nodes are order[first:last],
// and divides its children in turn. It reports whether it split.
func (sp *splitter) split(depth, first, last int) bool {
	c := sp.subgraph(depth)
	n := last - first
	count := sp.cluster(c, n)
	if count <= 1 || sp.solver.stop.Load() {
		return false
	}
	sp.solver.scratch[0].canonicalize(c.labels, count)
	c.sortByCommunity(sp.order[first:last], count)
	for i := range count {
		lo, hi := int(c.first[i]), int(c.first[i+1])
		at := len(sp.tree)
		sp.tree = append(sp.tree, branch{level: depth + 1, first: first + lo, last: first + hi, final: true})
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

// sortByCommunity sorts the members of a cutout, and what order holds for them, by
// community.
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

// cluster finds the communities of a cutout. A strict one that is too large is
// tried with ever higher resolution; at some point all its nodes part.
func (sp *splitter) cluster(c *subgraph, n int) (count int) {
	o := sp.solver.options
	resolution := o.Resolution
	c.labels = resize(c.labels, n)
	for {
		count = sp.solver.partition(&c.csr, c.labels, resolution, sp.plan, nil)
		if count > 1 || !o.Strict || n <= o.MaxSize || sp.solver.stop.Load() {
			return count
		}
		resolution *= 2
	}
}
