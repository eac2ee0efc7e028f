package leiden

// mergeLeaves merges every node that has one neighbour into that neighbour, its stem,
// where they always belong together: at a resolution of at most 1, leaving a
// neighbour never pays for such a node. A stem that then has no neighbour is a
// community with its leaves, and left out. Graphs of extracted text are full of
// both. The labels of what is left to work on are in front then. It returns the
// number of communities.
func (s *solver) mergeLeaves(top *level, labels []uint32, resolution float64) int {
	g := top.g
	n := g.nodes()
	if resolution > 1 || g.loops != nil || !manyLeaves(g) {
		top.reserve()
		return s.compact(labels, n)
	}
	top.coarse = resize(top.coarse, n)
	g.findStems(top.coarse)
	stems := s.numberStems(g, top.coarse)
	for p, v := range stems { // v is at least p
		labels[p] = labels[v]
	}
	s.base, s.leavesMerged = 1, true
	low := s.level(s.base)
	low.g, low.exact = &low.store, true // each edge between stems is one of the given ones
	s.buildStemGraph(g, low, top.coarse, stems)
	low.reserve()
	return s.compact(labels[:len(stems)], n)
}

// unmergeLeaves gives every node the label of its stem and counts the communities.
func (s *solver) unmergeLeaves(top *level, labels []uint32, count int) int {
	n := len(labels)
	byStem := s.keys[:n]
	copy(byStem, labels[:s.baseGraph().nodes()])
	for i := range s.stars.count {
		byStem[n-1-i] = uint32(count + i)
	}
	for v, stem := range top.coarse {
		labels[v] = byStem[stem]
	}
	return count + s.stars.count
}

func manyLeaves(g *csr) bool {
	leaves := 0
	for v := range g.begin {
		if g.end[v]-g.begin[v] == 1 {
			leaves++
		}
	}
	return leaves*8 > len(g.begin)
}

// findStems notes for every node the one that it becomes a part of: its only
// neighbour, or itself. Of two nodes that have only each other it is the smaller.
func (g *csr) findStems(ref []uint32) {
	last := uint64(len(g.adj)) - 1
	for v := range ref {
		begin, stem := g.begin[v], uint32(v)
		u := g.adj[min(begin, last)]
		if g.end[v]-begin == 1 {
			stem = u
		}
		if g.end[stem]-g.begin[stem] == 1 {
			stem = min(stem, uint32(v))
		}
		ref[v] = stem
	}
}

// numberStems makes the stems in ref numbers: of those that have neighbours, which
// it returns, from 0, and of those that are alone, which it notes, from the last
// down. What a node is cannot be foreseen, so there are no branches on that.
func (s *solver) numberStems(g *csr, ref []uint32) []uint32 {
	n := len(ref)
	sc := s.scratch[0]
	sc.order = resize(sc.order, n+1)
	stems, number := sc.order, s.keys[:n]
	for v := range number { // first: how many neighbours are not leaves
		number[v] = uint32(g.end[v] - g.begin[v])
	}
	for v, stem := range ref {
		leaf := uint32(1)
		if int(stem) == v {
			leaf = 0
		}
		number[stem] -= leaf
	}
	count, alone := 0, 0
	for v, stem := range ref {
		left, isStem, joined := number[v], 0, 0
		to := uint32(n - 1 - alone)
		if int(stem) == v {
			isStem = 1
		}
		if left != 0 {
			joined = isStem
		}
		if joined != 0 {
			to = uint32(count)
		}
		stems[count], stems[n-alone], number[v] = uint32(v), uint32(v), to
		count += joined
		alone += isStem - joined
	}
	for v, stem := range ref {
		ref[v] = number[stem]
	}
	s.stars.add(g, stems[n+1-alone:])
	return stems[:count]
}

// stars are the communities of stems that have leaves as neighbours only, or none.
type stars struct {
	count           int
	weight, squares float64 // sum of their strengths, and of the squares of these
}

func (s *stars) add(g *csr, stems []uint32) {
	s.count += len(stems)
	for _, v := range stems {
		k := 2 * g.strength[v]
		s.weight += k
		s.squares += k * k
	}
}

// modularity is what these communities add to it.
func (s *stars) modularity(total, resolution float64) float64 {
	if s.weight == 0 {
		return 0
	}
	return s.weight/total - resolution*s.squares/(total*total)
}

// buildStemGraph makes low the graph of the stems of from that have neighbours, each with
// the weight of its leaves as its loop.
func (s *solver) buildStemGraph(from *csr, low *level, ref, stems []uint32) {
	g, parts := low.g, len(stems)
	g.total = from.total
	g.begin, g.end = resize(g.begin, parts), resize(g.end, parts)
	g.loops, g.strength = resize(g.loops, parts), resize(g.strength, parts)
	room := uint64(0)
	for p, v := range stems {
		g.begin[p] = room
		room += from.end[v] - from.begin[v]
	}
	g.adj = resize(g.adj, int(room))
	g.weights = nil
	if from.weights != nil {
		low.weights = resize(low.weights, int(room))
		g.weights = low.weights
	}
	s.teamFor(from.arcs).forStretches(parts, s.stop, func(_, _, lo, hi int) {
		for p := lo; p < hi; p++ {
			g.buildStemRow(from, ref, uint32(p), stems[p])
		}
	})
	g.arcs = 0
	for p := range stems {
		g.arcs += int(g.end[p] - g.begin[p])
	}
}

// buildStemRow makes row p of the one that its stem has in from. Which of its neighbours
// are leaves cannot be foreseen, so it takes no branches on that.
func (g *csr) buildStemRow(from *csr, ref []uint32, p, stem uint32) {
	row, weights := from.row(stem)
	at, loop := g.begin[p], 0.0
	if weights == nil {
		for _, u := range row {
			q, next := ref[u], at
			g.adj[at] = q
			if q != p {
				next = at + 1
			}
			at = next
		}
		loop = float64(len(row)) - float64(at-g.begin[p])
	} else {
		for i, u := range row {
			q, next := ref[u], at
			g.adj[at], g.weights[at] = q, weights[i]
			if q != p {
				next = at + 1
			}
			loop += masked(weights[i], uint32(next-at)-1)
			at = next
		}
	}
	g.end[p], g.loops[p], g.strength[p] = at, loop, from.strength[stem]+loop
}
