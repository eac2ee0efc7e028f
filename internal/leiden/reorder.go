package leiden

const (
	// reorderNodes is the number of nodes from which a graph is reordered. The data of
	// smaller graphs fits into the cache in any order.
	reorderNodes = 1 << 17
	// minReorderModularity is the modularity that a rough partition needs for its
	// communities to contain enough of the edges to sort by them.
	minReorderModularity = 0.3
)

// reorder makes a rough partition of a large graph and, if that is good enough, sorts
// the nodes by community, so that in all later phases the rows of a community and the
// data of its nodes are close together in memory. It returns the number of communities
// of the rough partition, which labels then holds. It does nothing to a small graph or
// to one whose nodes are not all singletons.
func (s *solver) reorder(labels []uint32, count int) int {
	from := s.levels[s.base]
	n := from.g.nodes()
	if n < s.options.reorderNodes || count != n {
		return count
	}
	labels = labels[:n]
	copy(from.comm, labels)
	from.count = n
	q := s.roughMoves(from)
	if s.stop.Load() {
		return count
	}
	count = s.compact(from.comm, n)
	copy(labels, from.comm)
	s.skipRough = true
	if q >= minReorderModularity {
		s.sortByCommunity(from, labels, count)
	}
	return count
}

// sortByCommunity replaces the base level by a copy of its graph in which the nodes of
// each community are numbered consecutively, and sorts the labels in the same way.
func (s *solver) sortByCommunity(from *level, labels []uint32, count int) {
	sortByLabel(from.comm, count, from.first, from.members)
	for i, v := range from.members {
		from.coarse[v], labels[i] = uint32(i), from.comm[v]
	}
	s.permute(from)
	s.installPermuted()
}

// roughMoves makes the rough sweeps with which local moving begins and returns about
// the modularity that they gained.
func (s *solver) roughMoves(l *level) float64 {
	m := s.initMover(l)
	l.activateAll()
	return 2 * s.moveBatches(m, 1, roughSweeps) / l.g.total
}

// permute copies the graph of a level, with its nodes in the order of the level's
// members, into the memory that level 0 has for a graph. coarse of a node is its new
// number.
func (s *solver) permute(from *level) {
	l := s.levels[0]
	g, old, n := &l.store, from.g, len(from.coarse)
	g.total, g.arcs = old.total, old.arcs
	g.begin, g.end, g.strength = resize(g.begin, n), resize(g.end, n), resize(g.strength, n)
	g.adj = resize(g.adj, old.arcs)
	g.weights, g.loops = nil, nil
	if old.weights != nil {
		l.weights = resize(l.weights, old.arcs)
		g.weights = l.weights
	}
	if old.loops != nil {
		g.loops = make([]float64, n)
	}
	t := s.teamFor(old.arcs)
	starts := make([]uint64, n/stretchNodes+1) // where the rows of each stretch begin; first their total length
	t.forStretches(n, s.stop, func(_, stretch, lo, hi int) {
		for _, v := range from.members[lo:hi] {
			starts[stretch] += old.end[v] - old.begin[v]
		}
	})
	prefixSum(starts)
	t.forStretches(n, s.stop, func(worker, stretch, lo, hi int) {
		s.scratch[worker].prefetch.reset(old, from.members[lo:hi])
		s.scratch[worker].permuteRows(from, g, lo, hi, starts[stretch])
	})
}

// permuteRows copies the rows of members[lo:hi] to g, beginning at index at.
func (sc *scratch) permuteRows(from *level, g *csr, lo, hi int, at uint64) {
	newID := from.coarse
	for i := lo; i < hi; i++ {
		sc.prefetch.use(1)
		v := from.members[i]
		row, weights := from.g.row(v)
		to := g.adj[at:][:len(row)]
		for j, u := range row {
			to[j] = newID[u]
		}
		if weights != nil {
			copy(g.weights[at:], weights)
		}
		if g.loops != nil {
			g.loops[i] = from.g.loops[v]
		}
		g.begin[i], g.strength[i] = at, from.g.strength[v]
		at += uint64(len(row))
		g.end[i] = at
	}
}

// installPermuted makes the permuted graph the graph of level 1, which becomes the base
// level, and sets coarse of level 0 to the new number of each given node.
func (s *solver) installPermuted() {
	top, base := s.level(0), s.level(1)
	if s.base == 0 { // swap the memory of the levels with the graph
		given := top.g
		*top, *base = *base, *top
		top.g, top.exact = given, true
		top.coarse, base.coarse = base.coarse, top.coarse
	} else {
		for v, stem := range top.coarse { // stars are not in the base level
			if int(stem) < len(base.coarse) {
				top.coarse[v] = base.coarse[stem]
			}
		}
		top.store, base.store = base.store, top.store
		top.weights, base.weights = base.weights, top.weights
	}
	s.base = 1
	base.g = &base.store
	base.reserve()
}
