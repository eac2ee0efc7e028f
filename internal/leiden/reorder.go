package leiden

const (
	// reorderNodes is the number of nodes from which a graph is put into a new
	// order. What is noted of the nodes of smaller ones is near in any order.
	reorderNodes = 1 << 17
	// minReorderModularity is the modularity of a draft from which its communities hold
	// enough of the edges.
	minReorderModularity = 0.3
)

// reorder drafts communities of a large graph, and works on it in their order from
// then on: what comes after it looks at rows and at what is noted of neighbours,
// which then lie close together. It returns the number of communities.
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

// sortByCommunity makes the graph to work on a copy of it in which the nodes of each of
// the communities are numbered one after another, and sorts the labels alike.
func (s *solver) sortByCommunity(from *level, labels []uint32, count int) {
	sortByLabel(from.comm, count, from.first, from.members)
	for i, v := range from.members {
		from.coarse[v], labels[i] = uint32(i), from.comm[v]
	}
	s.permute(from)
	s.installPermuted()
}

// roughMoves makes the rough sweeps that moves begin with, and returns about the
// modularity that they gained.
func (s *solver) roughMoves(l *level) float64 {
	m := s.initMover(l)
	l.activateAll()
	return 2 * s.moveBatches(m, 1, roughSweeps) / l.g.total
}

// permute copies the graph of a level into the memory that level 0 has for one,
// its nodes in the order of the members of the level. ref is where each comes to be.
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
	starts := make([]uint64, n/stretchNodes+1) // of the rows of a stretch; first their length
	t.forStretches(n, s.stop, func(_, stretch, lo, hi int) {
		for _, v := range from.members[lo:hi] {
			starts[stretch] += old.end[v] - old.begin[v]
		}
	})
	prefixSum(starts)
	t.forStretches(n, s.stop, func(member, stretch, lo, hi int) {
		s.scratch[member].prefetch.reset(old, from.members[lo:hi])
		s.scratch[member].permuteRows(from, g, lo, hi, starts[stretch])
	})
}

// permuteRows copies the rows of the members from lo to hi, which begin at position at.
func (sc *scratch) permuteRows(from *level, g *csr, lo, hi int, at uint64) {
	place := from.coarse
	for i := lo; i < hi; i++ {
		sc.prefetch.use(1)
		v := from.members[i]
		row, weights := from.g.row(v)
		to := g.adj[at:][:len(row)]
		for j, u := range row {
			to[j] = place[u]
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

// installPermuted makes the graph that was permuted the one of level 1, to work on, and has
// ref of level 0 say which of its nodes each given one is.
func (s *solver) installPermuted() {
	top, low := s.level(0), s.level(1)
	if s.base == 0 { // the memory of the level goes along
		given := top.g
		*top, *low = *low, *top
		top.g, top.exact = given, true
		top.coarse, low.coarse = low.coarse, top.coarse
	} else {
		for v, stem := range top.coarse { // stars are left out
			if int(stem) < len(low.coarse) {
				top.coarse[v] = low.coarse[stem]
			}
		}
		top.store, low.store = low.store, top.store
		top.weights, low.weights = low.weights, top.weights
	}
	s.base = 1
	low.g = &low.store
	low.reserve()
}
