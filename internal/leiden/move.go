package leiden

const (
	maxSweeps = 20
	// manySweeps is never reached, since every move gains; it is there so that
	// not even a flaw of rounding could keep a sweep going for ever.
	manySweeps = 100_000
	// sure is the part of a node's strength that a gain must exceed to count.
	// Weights of the given graph are exact, and sums over them nearly so; those
	// of an aggregate are rounded to float32.
	sure          = 1e-11
	sureAggregate = 5e-7
	// sureCareful keeps a node where the total weight, which any change of the
	// graph changes, would tip a balance.
	sureCareful = 1e-3
)

// sure is the threshold of a level.
func (l *level) sure() float64 {
	if l.exact {
		return sure
	}
	return sureAggregate
}

// move lets nodes change to the neighbouring community, or an empty one, that
// raises modularity most. It sweeps over the nodes, first all, then those with
// a neighbour that moved, in blocks of random order, until a sweep gains no more
// than tolerance or, with tolerance 0, until no node wants to move. A careful
// one begins with the nodes of touched communities. It returns the number of moves.
func (s *solver) move(l *level, tolerance float64, careful bool) int {
	g := l.g
	n := g.nodes()
	m := s.begin(l)
	l.flagAll()
	if careful {
		// At the base every neighbourhood may have changed since the last run.
		for v := range l.flags {
			l.flags[v] = l.exact || l.touched[l.comm[v]]
		}
		m.marks = l.touched
		m.sure = max(m.sure, sureCareful)
	}
	if g.arcs >= s.options.batchArcs {
		s.moveBatches(m, tolerance, sweeps(tolerance))
		return m.moves
	}
	blocks, width := s.blocks(n)
	for range sweeps(tolerance) {
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

// begin readies the mover for a level.
func (s *solver) begin(l *level) *mover {
	l.tally()
	s.mover = mover{
		level: l, scratch: s.scratch[0], gamma: s.gamma, fresh: l.count, vacant: s.mover.vacant[:0],
		sure: l.sure(), leaves: s.gamma*l.g.total <= 1 && l.g.loops == nil, drafted: s.drafted,
	}
	s.drafted = false
	return &s.mover
}

// flagAll has all nodes looked at.
func (l *level) flagAll() {
	for v := range l.flags {
		l.flags[v] = true
	}
}

func sweeps(tolerance float64) int {
	if tolerance == 0 {
		return manySweeps
	}
	return maxSweeps
}

// blocks cuts n nodes into blocks of a width and puts those into random order:
// the order makes partitions better, the blocks keep rows streaming.
func (s *solver) blocks(n int) (order []uint32, width int) {
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

// tally sums the communities of a level.
func (l *level) tally() {
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
	sure    float64
	drafted bool     // rough sweeps were made
	leaves  bool     // a node with one neighbour always belongs with it
	choosy  bool     // totals are far away: read those alone that matter
	equals  int      // of communities of equal weight, how many are tried; 0: all
	marks   []bool   // communities that changed; nil: not of interest
	fresh   int      // communities from here on were never used
	vacant  []uint32 // communities that lost their last node
	moves   int
}

// sweep visits the flagged nodes in [lo, hi) and returns what their moves gained,
// as weight.
func (m *mover) sweep(lo, hi int) float64 {
	gained := 0.0
	for v := lo; v < hi; v++ {
		if !m.flags[v] {
			continue
		}
		m.flags[v] = false
		row, weights := m.g.row(uint32(v))
		own := m.comm[v]
		if len(row) == 0 || len(row) == 1 && m.leaves && m.comm[row[0]] == own {
			continue
		}
		n := m.gather(row, weights, m.comm, 0)
		k := m.g.strength[v]
		p := m.pick(m.scratch, n, own, k)
		if p.to == own {
			continue
		}
		to := p.to
		if to == none {
			to = m.empty()
		}
		gained += p.gain
		m.commit(uint32(v), own, to, k)
		m.flag(row, to)
	}
	return gained
}

// flag marks the neighbours that are not in the community that a node joined.
func (m *mover) flag(row []uint32, to uint32) {
	for _, u := range row {
		if m.comm[u] != to {
			m.flags[u] = true
		}
	}
}

// A proposal is where a node wants to go: its own community if nowhere else,
// none for an empty one.
type proposal struct {
	to   uint32
	gain float64
}

// pick finds the best community for a node of strength k, whose sums by
// community are in s, and clears these. The first of equals wins, staying above all.
func (m *mover) pick(s *scratch, n int, own uint32, k float64) proposal {
	f := k * m.gamma
	acc, tot := s.acc, m.tot
	stay := acc[own] - f*(tot[own]-k)
	acc[own] = 0
	best, to := stay+m.sure*k, own
	equal := equals{limit: m.equals}
	for _, c := range s.keys[:n] {
		weight := acc[c]
		acc[c] = 0
		// Whatever its total, a community takes from its weight to make the gain.
		if m.choosy && (weight <= best || !equal.next(weight)) {
			continue
		}
		// The sum of the own community is gone, so its gain is negative here.
		if gain := weight - f*tot[c]; gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.proposal(best, stay, to, own)
}

// stays says of a node, by its weight to its own community, that it would stay there
// even if all its other neighbours were in one community that weighs nothing.
func (m *mover) stays(v, own uint32, inside float64) bool {
	k := m.g.strength[v]
	other := k - inside
	if m.g.loops != nil {
		other -= 2 * m.g.loops[v]
	}
	stay := inside - k*m.gamma*(m.tot[own]-k)
	return stay >= other
}

// equals counts communities of equal weight, the largest so far.
type equals struct {
	limit, count int
	weight       float64
}

// next says whether another one of that weight is tried.
func (e *equals) next(weight float64) bool {
	if weight > e.weight {
		e.weight, e.count = weight, 0
	}
	e.count++
	return e.limit == 0 || e.count <= e.limit
}

// proposal is the move to the best community, or to an empty one where even that
// is no gain.
func (m *mover) proposal(best, stay float64, to, own uint32) proposal {
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
		m.vacant = append(m.vacant, from)
	}
	if m.marks != nil {
		m.marks[from], m.marks[to] = true, true
	}
}

// empty gives a community without nodes. There is one whenever some community
// has two.
func (m *mover) empty() uint32 {
	if last := len(m.vacant) - 1; last >= 0 {
		c := m.vacant[last]
		m.vacant = m.vacant[:last]
		return c
	}
	m.fresh++
	return uint32(m.fresh - 1)
}
