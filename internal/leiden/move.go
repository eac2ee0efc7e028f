package leiden

const (
	maxSweeps = 20
	// sweepLimit is never reached, since every move gains; it is there so that
	// not even a flaw of rounding could keep a sweep going for ever.
	sweepLimit = 100_000
	// exactEpsilon is the part of a node's strength that a gain must exceed to count.
	// Weights of the given graph are exact, and sums over them nearly so; those
	// of an aggregate are rounded to float32.
	exactEpsilon          = 1e-11
	aggregateEpsilon = 5e-7
	// incrementalEpsilon keeps a node where the total weight, which any change of the
	// graph changes, would tip a balance.
	incrementalEpsilon = 1e-3
)

// gainEpsilon is the threshold of a level.
func (l *level) gainEpsilon() float64 {
	if l.exact {
		return exactEpsilon
	}
	return aggregateEpsilon
}

// move lets nodes change to the neighbouring community, or an empty one, that
// raises modularity most. It sweeps over the nodes, first all, then those with
// a neighbour that moved, in blocks of random order, until a sweep gains no more
// than tolerance or, with tolerance 0, until no node wants to move. A careful
// one begins with the nodes of touched communities. It returns the number of moves.
func (s *solver) move(l *level, tolerance float64, careful bool) int {
	g := l.g
	n := g.nodes()
	m := s.initMover(l)
	l.activateAll()
	if careful {
		// At the base every neighbourhood may have changed since the last run.
		for v := range l.active {
			l.active[v] = l.exact || l.touched[l.comm[v]]
		}
		m.changed = l.touched
		m.epsilon = max(m.epsilon, incrementalEpsilon)
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

// initMover readies the mover for a level.
func (s *solver) initMover(l *level) *mover {
	l.sumCommunities()
	s.mover = mover{
		level: l, scratch: s.scratch[0], gamma: s.gamma, nextUnused: l.count, emptied: s.mover.emptied[:0],
		epsilon: l.gainEpsilon(), leavesStay: s.gamma*l.g.total <= 1 && l.g.loops == nil, skipRough: s.skipRough,
	}
	s.skipRough = false
	return &s.mover
}

// activateAll has all nodes looked at.
func (l *level) activateAll() {
	for v := range l.active {
		l.active[v] = true
	}
}

func maxSweepsFor(tolerance float64) int {
	if tolerance == 0 {
		return sweepLimit
	}
	return maxSweeps
}

// shuffledBlocks cuts n nodes into blocks of a width and puts those into random order:
// the order makes partitions better, the blocks keep rows streaming.
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

// sumCommunities sums the communities of a level.
func (l *level) sumCommunities() {
	clear(l.tot)
	clear(l.size)
	for i, c := range l.comm {
		l.tot[c] += l.g.strength[i]
		l.size[c]++
	}
}

// mover is the state of the moves of one level.
type mover struct {
	*level
	*scratch

	gamma   float64
	epsilon    float64
	skipRough bool     // rough sweeps were made
	leavesStay  bool     // a node with one neighbour always belongs with it
	lazyTotals  bool     // totals are far away: read those alone that matter
	maxTies  int      // of communities of equal weight, how many are tried; 0: all
	changed   []bool   // communities that changed; nil: not of interest
	nextUnused   int      // communities from here on were never used
	emptied  []uint32 // communities that lost their last node
	moves   int
}

// sweep visits the flagged nodes in [lo, hi) and returns what their moves gained,
// as weight.
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

// activate marks the neighbours that are not in the community that a node joined.
func (m *mover) activate(row []uint32, to uint32) {
	for _, u := range row {
		if m.comm[u] != to {
			m.active[u] = true
		}
	}
}

// A proposal is where a node wants to go: its own community if nowhere else,
// none for an empty one.
type proposal struct {
	to   uint32
	gain float64
}

// bestProposal finds the best community for a node of strength k, whose sums by
// community are in s, and clears these. The first of equals wins, staying above all.
func (m *mover) bestProposal(s *scratch, n int, own uint32, k float64) proposal {
	f := k * m.gamma
	acc, tot := s.acc, m.tot
	stay := acc[own] - f*(tot[own]-k)
	acc[own] = 0
	best, to := stay+m.epsilon*k, own
	equal := tieCounter{limit: m.maxTies}
	for _, c := range s.keys[:n] {
		weight := acc[c]
		acc[c] = 0
		// Whatever its total, a community takes from its weight to make the gain.
		if m.lazyTotals && (weight <= best || !equal.allows(weight)) {
			continue
		}
		// The sum of the own community is gone, so its gain is negative here.
		if gain := weight - f*tot[c]; gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.orEmpty(best, stay, to, own)
}

// surelyStays says of a node, by its weight to its own community, that it would stay there
// even if all its other neighbours were in one community that weighs nothing.
func (m *mover) surelyStays(v, own uint32, inside float64) bool {
	k := m.g.strength[v]
	other := k - inside
	if m.g.loops != nil {
		other -= 2 * m.g.loops[v]
	}
	stay := inside - k*m.gamma*(m.tot[own]-k)
	return stay >= other
}

// tieCounter counts communities of equal weight, the largest so far.
type tieCounter struct {
	limit, count int
	weight       float64
}

// allows says whether another one of that weight is tried.
func (e *tieCounter) allows(weight float64) bool {
	if weight > e.weight {
		e.weight, e.count = weight, 0
	}
	e.count++
	return e.limit == 0 || e.count <= e.limit
}

// orEmpty is the move to the best community, or to an empty one where even that
// is no gain.
func (m *mover) orEmpty(best, stay float64, to, own uint32) proposal {
	if best < 0 && m.size[own] > 1 {
		best, to = 0, none
	}
	return proposal{to: to, gain: best - stay}
}

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

// takeEmpty gives a community without nodes. There is one whenever some community
// has two.
func (m *mover) takeEmpty() uint32 {
	if last := len(m.emptied) - 1; last >= 0 {
		c := m.emptied[last]
		m.emptied = m.emptied[:last]
		return c
	}
	m.nextUnused++
	return uint32(m.nextUnused - 1)
}
