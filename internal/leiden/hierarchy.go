package leiden

import (
	"context"
	"slices"
	"sync/atomic"
)

// A Community of a Hierarchy is a connected set of nodes.
type Community struct {
	Parent      int  // position in the level above, -1 at level 0
	First, Last int  // members are Order[First:Last], ascending when it is final
	Final       bool // has no children
}

// Size is the number of members.
func (c Community) Size() int { return c.Last - c.First }

// A Hierarchy is communities within communities. Level 0 is the root level.
// Children partition their parent, lie in it one after another, and are never
// an only child. Siblings are sorted by size, larger first, then by smallest member.
type Hierarchy struct {
	Levels     [][]Community // each sorted by First
	Order      []uint32      // the nodes that have an edge, those of a community contiguous
	Modularity float64       // of level 0
}

// BuildHierarchy clusters g and splits every community of at least
// Options.MaxSize nodes again, as a graph of its own, until it does not split.
// Such a community is final however large, unless Options.Strict. Nodes without
// an edge to another are left out.
func BuildHierarchy(ctx context.Context, g *Graph, o Options) (*Hierarchy, error) {
	o, err := o.withDefaults(g)
	if err != nil {
		return nil, err
	}
	stop, release := watch(ctx)
	defer release()
	s := newSolver(o, stop)
	labels, count := s.partition(&g.csr, o.Resolution, o.Previous, o.Seed)
	if stop.Load() {
		return nil, context.Cause(ctx)
	}
	h := &Hierarchy{Modularity: Modularity(g, labels, o.Resolution)}
	roots := h.root(g, labels, count)
	trees, err := split(g, labels, h.Order, roots, o, stop)
	if err != nil {
		return nil, err
	}
	if stop.Load() {
		return nil, context.Cause(ctx)
	}
	h.assemble(roots, trees)
	return h, nil
}

// root orders the nodes by community and gives the communities of level 0.
func (h *Hierarchy) root(g *Graph, labels []uint32, count int) []Community {
	canonical(labels, count)
	first, order := make([]uint32, count+1), make([]uint32, len(labels))
	sortByLabel(labels, count, first, order)
	var roots []Community
	for c := range count {
		members := order[first[c]:first[c+1]]
		if len(members) == 1 && g.Degree(members[0]) == 0 {
			continue
		}
		at := len(h.Order)
		h.Order = append(h.Order, members...)
		roots = append(roots, Community{Parent: -1, First: at, Last: len(h.Order), Final: true})
	}
	return roots
}

// A branch is a community found below a root, in depth first order.
type branch struct {
	level, first, last int
	final              bool
}

// split divides the roots, each worker taking the largest that is left, and
// gives what lies below each root. A root's part of order is permuted by the
// worker that divides it.
func split(g *Graph, labels, order []uint32, roots []Community, o Options, stop *atomic.Bool) ([][]branch, error) {
	trees := make([][]branch, len(roots))
	large := 0 // roots are sorted by size
	for large < len(roots) && roots[large].Size() >= max(o.MaxSize, 2) {
		large++
	}
	local := make([]uint32, g.Nodes())
	for _, r := range roots[:large] {
		for i, v := range order[r.First:r.Last] {
			local[v] = uint32(i)
		}
	}
	splitters := make([]*splitter, o.Workers)
	err := each(o.Workers, large, func(worker, item int) {
		if stop.Load() {
			return
		}
		if splitters[worker] == nil {
			splitters[worker] = &splitter{solver: newSolver(o, stop), order: order}
		}
		sp := splitters[worker]
		sp.tree = nil
		r := roots[item]
		sp.cutout(0).cut(&g.csr, order[r.First:r.Last], labels, local)
		sp.divide(0, r.First, r.Last)
		trees[item] = sp.tree
	})
	return trees, err
}

// assemble puts the communities of all levels side by side.
func (h *Hierarchy) assemble(roots []Community, trees [][]branch) {
	h.Levels = [][]Community{roots}
	if len(roots) == 0 {
		h.Levels = nil
	}
	for i, tree := range trees {
		if len(tree) > 0 {
			roots[i].Final = false
		}
		for _, b := range tree {
			if len(h.Levels) <= b.level {
				h.Levels = append(h.Levels, nil)
			}
			above := h.Levels[b.level-1]
			h.Levels[b.level] = append(h.Levels[b.level], Community{
				Parent: holder(above, b.first), First: b.first, Last: b.last, Final: b.final,
			})
		}
	}
}

// holder finds the community that holds a position, the level being sorted.
func holder(level []Community, position int) int {
	i, ok := slices.BinarySearchFunc(level, position, func(c Community, p int) int { return c.First - p })
	if !ok {
		i--
	}
	return i
}

// A splitter divides communities for one worker.
type splitter struct {
	solver  *solver
	order   []uint32
	cutouts []*cutout
	tree    []branch
}

// A cutout is one community as a graph of its own, by depth.
type cutout struct {
	csr

	labels, local  []uint32
	first, members []uint32
	nodes          []uint32
}

func (sp *splitter) cutout(depth int) *cutout {
	for len(sp.cutouts) <= depth {
		sp.cutouts = append(sp.cutouts, new(cutout))
	}
	return sp.cutouts[depth]
}

// divide clusters the cutout of that depth, whose nodes are order[first:last],
// and divides its children in turn. It reports whether it split.
func (sp *splitter) divide(depth, first, last int) bool {
	c := sp.cutout(depth)
	n := last - first
	count := sp.cluster(c, n)
	if count <= 1 || sp.solver.stop.Load() {
		return false
	}
	canonical(c.labels, count)
	c.first, c.members = resize(c.first, n+1), resize(c.members, n)
	c.local, c.nodes = resize(c.local, n), resize(c.nodes, n)
	sortByLabel(c.labels, count, c.first, c.members)
	order := sp.order[first:last]
	copy(c.nodes, order)
	for i, v := range c.members {
		order[i] = c.nodes[v]
	}
	for i := range count {
		for j, v := range c.members[c.first[i]:c.first[i+1]] {
			c.local[v] = uint32(j)
		}
	}
	for i := range count {
		lo, hi := int(c.first[i]), int(c.first[i+1])
		at := len(sp.tree)
		sp.tree = append(sp.tree, branch{level: depth + 1, first: first + lo, last: first + hi, final: true})
		if hi-lo < max(sp.solver.options.MaxSize, 2) {
			continue
		}
		sp.cutout(depth+1).cut(&c.csr, c.members[lo:hi], c.labels, c.local)
		if sp.divide(depth+1, first+lo, first+hi) {
			sp.tree[at].final = false
		}
	}
	return true
}

// cluster finds the communities of a cutout. A strict one that is too large is
// tried with ever higher resolution; at some point all its nodes part.
func (sp *splitter) cluster(c *cutout, n int) (count int) {
	o := sp.solver.options
	resolution := o.Resolution
	for {
		c.labels, count = sp.solver.partition(&c.csr, resolution, nil, o.Seed)
		if count > 1 || !o.Strict || n <= o.MaxSize || sp.solver.stop.Load() {
			return count
		}
		resolution *= 2
	}
}

// cut makes the members of one community of g a graph of their own. Their
// labels in g are equal, and local numbers them in the order of members.
func (c *cutout) cut(g *csr, members, labels, local []uint32) {
	n := len(members)
	arcs := uint64(0)
	for _, v := range members {
		arcs += g.end[v] - g.begin[v]
	}
	c.begin, c.end, c.strength = resize(c.begin, n), resize(c.end, n), resize(c.strength, n)
	c.adj = resize(c.adj, int(arcs))
	if g.weights != nil {
		c.weights = resize(c.weights, int(arcs))
	}
	if g.loops != nil {
		c.loops = resize(c.loops, n)
	}
	own := labels[members[0]]
	at := uint64(0)
	c.total = 0
	for i, v := range members {
		c.begin[i] = at
		sum := 0.0
		for j := g.begin[v]; j < g.end[v]; j++ {
			u := g.adj[j]
			if labels[u] != own {
				continue
			}
			c.adj[at] = local[u]
			if g.weights != nil {
				c.weights[at] = g.weights[j]
			}
			sum += g.weight(j)
			at++
		}
		if g.loops != nil {
			c.loops[i] = g.loops[v]
			sum += 2 * g.loops[v]
		}
		c.end[i] = at
		c.strength[i] = sum
		c.total += sum
	}
}
