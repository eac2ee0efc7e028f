package leiden

import (
	"context"
	"slices"
	"sync/atomic"
)

// A Community of a Hierarchy is a connected set of nodes.
type Community struct {
	Parent      int  // index in the level above, -1 at level 0
	First, Last int  // members are Order[First:Last], ascending if it is final
	Final       bool // has no children
}

// Size returns the number of members.
func (c Community) Size() int { return c.Last - c.First }

// A Hierarchy is a tree of nested communities. Level 0 is the root level. The children of
// a community partition it, follow each other in Order, and are never an only
// child. Siblings are sorted by size, larger first, then by smallest member.
type Hierarchy struct {
	Levels     [][]Community // each sorted by First
	Order      []uint32      // the nodes that have an edge; the nodes of a community are contiguous
	Modularity float64       // of level 0
}

// BuildHierarchy clusters g and then clusters every community of at least
// Options.MaxSize nodes as a separate graph, until none of them splits. A community
// that does not split is final, whatever its size, unless Options.Strict is set.
// Nodes without an edge to another node are left out. It returns context.Cause(ctx)
// within a fraction of a second after ctx ends.
func BuildHierarchy(ctx context.Context, g *Graph, o Options) (h *Hierarchy, err error) {
	defer recoverError(&err)
	o, err = o.withDefaults(g)
	if err != nil {
		return nil, err
	}
	stop, release := stopFlag(ctx)
	defer release()
	t := newTeam(o.workersFor(g, minParallelSplitArcs))
	defer t.close()
	s := newSolver(o, stop, t)
	labels := make([]uint32, g.Nodes())
	count := s.partition(&g.csr, labels, o.Resolution, o.plan(g.arcs), o.Start.root())
	if stop.Load() {
		return nil, context.Cause(ctx)
	}
	s.scratch[0].canonicalize(labels, count)
	h = &Hierarchy{Modularity: s.quality(labels, count, o.Resolution)}
	roots, localID := h.buildRoots(g, labels, count)
	trees := splitRoots(g, localID, h.Order, roots, s, newFollower(o, g, h.Order, roots))
	s.release()
	if stop.Load() {
		return nil, context.Cause(ctx)
	}
	h.assemble(roots, trees)
	return h, nil
}

// buildRoots sorts the nodes into h.Order by community and returns the communities
// of level 0 and the local ids of all nodes, as in level.localID.
func (h *Hierarchy) buildRoots(g *Graph, labels []uint32, count int) ([]Community, []uint64) {
	first, order := make([]uint32, count+1), make([]uint32, len(labels))
	sortByLabel(labels, count, first, order)
	var roots []Community
	h.Order = make([]uint32, 0, len(labels))
	localID := make([]uint64, len(labels))
	for c := range count {
		members := order[first[c]:first[c+1]]
		for i, v := range members {
			localID[v] = uint64(c)<<32 | uint64(i)
		}
		if len(members) == 1 && g.Degree(members[0]) == 0 {
			continue
		}
		at := len(h.Order)
		h.Order = append(h.Order, members...)
		roots = append(roots, Community{Parent: -1, First: at, Last: len(h.Order), Final: true})
	}
	return roots, localID
}

// assemble fills in h.Levels from the roots and the communities found below each.
func (h *Hierarchy) assemble(roots []Community, trees [][]subcommunity) {
	if len(roots) == 0 {
		return
	}
	sizes := []int{len(roots)}
	for i, tree := range trees {
		if len(tree) > 0 {
			roots[i].Final = false
		}
		for _, b := range tree {
			if len(sizes) <= b.level {
				sizes = append(sizes, 0)
			}
			sizes[b.level]++
		}
	}
	h.Levels = [][]Community{roots}
	for _, size := range sizes[1:] {
		h.Levels = append(h.Levels, make([]Community, 0, size))
	}
	for _, tree := range trees {
		for _, b := range tree {
			h.Levels[b.level] = append(h.Levels[b.level], Community{
				Parent: parentIndex(h.Levels[b.level-1], b.first), First: b.first, Last: b.last, Final: b.final,
			})
		}
	}
}

// parentIndex returns the index of the community that contains a position of Order. The
// communities of a level are sorted by First.
func parentIndex(level []Community, position int) int {
	i, ok := slices.BinarySearchFunc(level, position, func(c Community, p int) int { return c.First - p })
	if !ok {
		i--
	}
	return i
}

// stopFlag returns a flag that is set when the context ends. Inner loops can afford
// to read it. The caller calls release when it is done.
func stopFlag(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	if ctx.Err() != nil {
		stop.Store(true)
	}
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}

// canonicalize renumbers labels: larger communities first, then by smallest member.
func (sc *scratch) canonicalize(labels []uint32, count int) {
	if count <= 1 {
		return
	}
	sc.sizes, sc.order = resize(sc.sizes, count), resize(sc.order, count)
	sizes, byMember := sc.sizes, sc.order[:0]
	clear(sizes)
	for _, c := range labels {
		if sizes[c] == 0 {
			byMember = append(byMember, c)
		}
		sizes[c]++
	}
	largest := slices.Max(sizes)
	sc.part = resize(sc.part, int(largest)+1)
	nextRank := sc.part // of communities that are smaller than the largest by the index
	clear(nextRank)
	for _, size := range sizes {
		nextRank[largest-size]++
	}
	prefixSum(nextRank)
	ranks := sizes
	for _, c := range byMember {
		next := &nextRank[largest-sizes[c]]
		ranks[c] = *next
		*next++
	}
	for i, c := range labels {
		labels[i] = ranks[c]
	}
}
