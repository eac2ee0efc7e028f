package leiden

const (
	maxSweeps = 20
	// sure is the part of a node's strength that a gain must exceed to count.
	// Weights of the given graph are exact, sums over them nearly so; those of
	// an aggregate are rounded to float32.
	sure          = 1e-11
	sureAggregate = 5e-7
)

// move lets nodes change to the neighbouring community, or an empty one, that
// raises modularity most. It sweeps over the nodes, first all, then those with
// a neighbour that moved, in blocks of random order, until a sweep gains no more
// than tolerance or, with tolerance 0, until no node wants to move.
// It returns the number of moves.
func (s *solver) move(l *level, tolerance float64) int {
	g := l.g
	n := g.nodes()
	l.tally()
	for i := range l.flags {
		l.flags[i] = true
	}
	m := mover{
		level: l, scratch: &s.scratch, gamma: s.gamma, fresh: l.count,
		sure: sure, leaves: s.gamma*g.total <= 1 && g.loops == nil,
	}
	if g == &l.store {
		m.sure = sureAggregate
	}
	blocks, width := s.blocks(n)
	for sweep := 0; tolerance == 0 || sweep < maxSweeps; sweep++ {
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

// blocks cuts n nodes into blocks of a width and puts those into random order:
// the order makes partitions better, the blocks keep rows streaming.
func (s *solver) blocks(n int) (order []uint32, width int) {
	width = 8
	for width < 512 && width*4096 < n {
		width *= 2
	}
	order = make([]uint32, (n+width-1)/width)
	for i := range order {
		order[i] = uint32(i)
	}
	s.rng.shuffle(order)
	return order, width
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
	gamma  float64
	sure   float64
	leaves bool     // a node with one neighbour always belongs with it
	fresh  int      // communities from here on were never used
	empty  []uint32 // communities that lost their last node
	moves  int
}

// sweep visits the flagged nodes in [lo, hi) and returns what their moves gained,
// as weight.
func (m *mover) sweep(lo, hi int) float64 {
	g := m.g
	gained := 0.0
	for v := lo; v < hi; v++ {
		if !m.flags[v] {
			continue
		}
		m.flags[v] = false
		row := g.adj[g.begin[v]:g.end[v]]
		if len(row) == 0 {
			continue
		}
		own := m.comm[v]
		if len(row) == 1 && m.leaves && m.comm[row[0]] == own {
			continue
		}
		var weights []float32
		if g.weights != nil {
			weights = g.weights[g.begin[v]:g.end[v]]
		}
		n := m.gather(row, weights, m.comm)
		k := g.strength[v]
		f := k * m.gamma
		stay := m.acc[own] - f*(m.tot[own]-k)
		best, to := stay+m.sure*k, own
		for _, c := range m.keys[:n] {
			gain := m.acc[c] - f*m.tot[c]
			m.acc[c] = 0
			if gain > best && c != own {
				best, to = gain, c
			}
		}
		if best < 0 && m.size[own] > 1 {
			best, to = 0, m.vacant()
		}
		if to == own {
			continue
		}
		gained += best - stay
		m.commit(uint32(v), own, to, k)
		for _, u := range row {
			if m.comm[u] != to {
				m.flags[u] = true
			}
		}
	}
	return gained
}

// gather sums the weights from a row to each label in acc and lists the labels.
func (s *scratch) gather(row []uint32, weights []float32, labels []uint32) int {
	n := 0
	acc, keys := s.acc, s.keys
	if weights == nil {
		for _, u := range row {
			c := labels[u]
			a := acc[c]
			keys[n] = c
			if a == 0 {
				n++
			}
			acc[c] = a + 1
		}
		return n
	}
	for i, u := range row {
		c := labels[u]
		a := acc[c]
		keys[n] = c
		if a == 0 {
			n++
		}
		acc[c] = a + float64(weights[i])
	}
	return n
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
		m.empty = append(m.empty, from)
	}
}

// vacant gives a community without nodes. There is one whenever some community
// has two.
func (m *mover) vacant() uint32 {
	if last := len(m.empty) - 1; last >= 0 {
		c := m.empty[last]
		m.empty = m.empty[:last]
		return c
	}
	m.fresh++
	return uint32(m.fresh - 1)
}
