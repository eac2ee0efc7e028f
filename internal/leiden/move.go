package leiden

const (
	// maxSweeps bounds the sweeps of a phase with a tolerance.
	maxSweeps = 20
	// sweepLimit bounds the sweeps of a phase without tolerance. It is never reached,
	// because every move gains, unless rounding errors made moves go in circles.
	sweepLimit = 100_000
	// exactEpsilon is the fraction of a node's strength that a gain must exceed to
	// count. The weights of the given graph are exact, and sums of them nearly so;
	// weights of an aggregate are rounded to float32.
	exactEpsilon     = 1e-11
	aggregateEpsilon = 5e-7
	// incrementalEpsilon keeps a node from moving only because the total weight of
	// the graph changed, as it does with any change of the graph.
	incrementalEpsilon = 1e-3
	// warmEpsilon is incrementalEpsilon for a graph of which only some nodes changed since
	// the partition that it starts from. A move that gains little is not worth that all
	// communities below it are found again.
	warmEpsilon = 1e-2
)

// gainEpsilon returns the threshold for gains in the level.
func (l *level) gainEpsilon() float64 {
	if l.exact {
		return exactEpsilon
	}
	return aggregateEpsilon
}

// move is the local moving phase: nodes move to the neighbouring community, or an
// empty one, that raises modularity most. It sweeps over the active nodes, in blocks
// of random order: first all nodes, then those with a neighbour that moved. It ends
// when a sweep gains no more modularity than tolerance or, with tolerance 0, when no
// move gains. An incremental phase starts with the changed nodes of the given graph and
// the nodes of touched communities. It returns the number of moves.
func (s *solver) move(l *level, tolerance float64, incremental bool) int {
	g := l.g
	n := g.nodes()
	m := s.initMover(l)
	l.activateAll()
	if incremental {
		for v := range l.active {
			l.active[v] = l.exact && (s.changed == nil || s.changed[v]) || l.touched[l.comm[v]]
		}
		m.changed = l.touched
		m.epsilon = max(m.epsilon, incrementalEpsilon)
		if s.changed != nil {
			m.epsilon = warmEpsilon
		}
	}
	if g.arcs >= s.options.batchArcs {
		s.moveBatches(m, tolerance, maxSweepsFor(tolerance))
		return m.moves
	}
	blocks, width := s.shuffledBlocks(n)
	for range maxSweepsFor(tolerance) {
		before, gained := m.moves, 0.0
		for _, b := range blocks {
			if s.stop.Load() {
				return m.moves
			}
			lo := int(b) * width
			gained += m.sweep(lo, min(lo+width, n))
		}
		if m.moves == before || 2*gained/g.total <= tolerance {
			break
		}
	}
	return m.moves
}

// initMover prepares the mover for a level.
func (s *solver) initMover(l *level) *mover {
	l.sumCommunities()
	s.mover = mover{
		level: l, scratch: s.scratch[0], gamma: s.gamma, nextUnused: l.count, emptied: s.mover.emptied[:0],
		epsilon: l.gainEpsilon(), leavesStay: s.gamma*l.g.total <= 1 && l.g.loops == nil, skipRough: s.skipRough,
	}
	s.skipRough = false
	return &s.mover
}

// activateAll makes all nodes active.
func (l *level) activateAll() {
	for v := range l.active {
		l.active[v] = true
	}
}

// maxSweepsFor returns the largest number of sweeps of a phase.
func maxSweepsFor(tolerance float64) int {
	if tolerance == 0 {
		return sweepLimit
	}
	return maxSweeps
}

// shuffledBlocks splits n nodes into blocks of width nodes and returns the blocks in
// random order. The random order gives better partitions; within a block, rows are
// read sequentially from memory.
func (s *solver) shuffledBlocks(n int) (order []uint32, width int) {
	width = 4
	for width < 512 && width*2048 < n {
		width *= 2
	}
	sc := s.scratch[0]
	sc.order = resize(sc.order, (n+width-1)/width)
	for i := range sc.order {
		sc.order[i] = uint32(i)
	}
	s.rng.shuffle(sc.order)
	return sc.order, width
}

// sumCommunities computes the total strength and the size of each community.
func (l *level) sumCommunities() {
	clear(l.tot)
	clear(l.size)
	for i, c := range l.comm {
		l.tot[c] += l.g.strength[i]
		l.size[c]++
	}
}

// A mover is the state of the local moving phase of one level.
type mover struct {
	*level
	*scratch

	gamma      float64
	epsilon    float64
	skipRough  bool     // the rough sweeps are done already
	leavesStay bool     // a node with one neighbour always belongs to its community
	lazyTotals bool     // totals are not in cache: read only those that can matter
	maxTies    int      // how many communities of equal weight are tried; 0: all
	changed    []bool   // communities that changed; nil: not recorded
	nextUnused int      // communities from this one on were never used
	emptied    []uint32 // communities that lost their last node
	moves      int
}

// sweep visits the active nodes in [lo, hi) and returns what their moves gained, in
// units of edge weight.
func (m *mover) sweep(lo, hi int) float64 {
	gained := 0.0
	for v := lo; v < hi; v++ {
		if !m.active[v] {
			continue
		}
		m.active[v] = false
		row, weights := m.g.row(uint32(v))
		own := m.comm[v]
		if len(row) == 0 || len(row) == 1 && m.leavesStay && m.comm[row[0]] == own {
			continue
		}
		n := m.gather(row, weights, m.comm, 0)
		k := m.g.strength[v]
		p := m.bestProposal(m.scratch, n, own, k)
		if p.to == own {
			continue
		}
		to := p.to
		if to == none {
			to = m.takeEmpty()
		}
		gained += p.gain
		m.commit(uint32(v), own, to, k)
		m.activate(row, to)
	}
	return gained
}

// activate makes those neighbours of a node active that are not in the community it
// moved to.
func (m *mover) activate(row []uint32, to uint32) {
	for _, u := range row {
		if m.comm[u] != to {
			m.active[u] = true
		}
	}
}

// A proposal is the best move of a node: to is the community to move to, the node's
// own if no move gains, or none for an empty one; gain is in units of edge weight.
type proposal struct {
	to   uint32
	gain float64
}

// bestProposal returns the best move for a node of strength k in community own. The
// weights of its edges to the n communities in s.keys are in s.acc, which it clears.
// Staying wins over moves of equal gain, and the first of these over the others.
func (m *mover) bestProposal(s *scratch, n int, own uint32, k float64) proposal {
	f := k * m.gamma
	acc, tot := s.acc, m.tot
	stay := acc[own] - float64(f*(tot[own]-k))
	acc[own] = 0
	best, to := stay+float64(m.epsilon*k), own
	ties := tieCounter{limit: m.maxTies}
	for _, c := range s.keys[:n] {
		weight := acc[c]
		acc[c] = 0
		// Whatever the total, the gain is at most the weight.
		if m.lazyTotals && (weight <= best || !ties.allows(weight)) {
			continue
		}
		// The sum of the own community is cleared, so its gain is negative here.
		if gain := weight - float64(f*tot[c]); gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.orEmpty(best, stay, to, own)
}

// surelyStays reports whether a node would stay in its community even if all its
// other neighbours were in one community of total strength 0. inside is the weight of
// its edges to its own community. It may report false for a node that stays.
func (m *mover) surelyStays(v, own uint32, inside float64) bool {
	k := m.g.strength[v]
	other := k - inside
	if m.g.loops != nil {
		other -= 2 * m.g.loops[v]
	}
	stay := inside - float64(k*m.gamma*(m.tot[own]-k))
	return stay >= other
}

// A tieCounter counts the communities whose weight equals the largest so far.
type tieCounter struct {
	limit, count int
	weight       float64
}

// allows reports whether another community of that weight may be tried.
func (e *tieCounter) allows(weight float64) bool {
	if weight > e.weight {
		e.weight, e.count = weight, 0
	}
	e.count++
	return e.limit == 0 || e.count <= e.limit
}

// orEmpty returns the move to the best community, or to an empty one if that is better
// than the best gain.
func (m *mover) orEmpty(best, stay float64, to, own uint32) proposal {
	if best < 0 && m.size[own] > 1 {
		best, to = 0, none
	}
	return proposal{to: to, gain: best - stay}
}

// commit moves a node of strength k to another community.
func (m *mover) commit(v, from, to uint32, k float64) {
	m.moves++
	m.comm[v] = to
	m.tot[to] += k
	m.size[to]++
	m.size[from]--
	m.tot[from] -= k
	if m.size[from] == 0 {
		m.tot[from] = 0
		m.emptied = append(m.emptied, from)
	}
	if m.changed != nil {
		m.changed[from], m.changed[to] = true, true
	}
}

// takeEmpty returns an empty community. There is one whenever some community has two
// nodes, since there are as many communities as nodes.
func (m *mover) takeEmpty() uint32 {
	if last := len(m.emptied) - 1; last >= 0 {
		c := m.emptied[last]
		m.emptied = m.emptied[:last]
		return c
	}
	m.nextUnused++
	return uint32(m.nextUnused - 1)
}
