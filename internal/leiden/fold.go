package leiden

// fold merges every node that has one neighbour into that neighbour, where they
// always belong together: at a resolution of at most 1, leaving a neighbour
// never pays for such a node. Graphs of extracted text are full of them. It
// returns the depth of the level to work on, with the labels of its nodes in
// front, and the number of communities.
func (s *solver) fold(top *level, labels []uint32, resolution float64) (base, count int) {
	g := top.g
	n := g.nodes()
	if resolution > 1 || g.loops != nil || !worthFolding(g) {
		top.reserve()
		return 0, s.compact(labels, n)
	}
	top.ref = resize(top.ref, n)
	g.stems(top.ref)
	parts := s.compact(top.ref, n)
	low := s.level(1)
	low.g, low.exact = &low.store, true // each edge between parts is one of the given ones
	low.store.begin = resize(low.store.begin, parts)
	low.reserve()
	stems := low.first             // with a place for what is none
	for v, p := range s.keys[:n] { // what compact renamed stems to
		stems[min(int(p), parts)] = uint32(v)
	}
	stems = stems[:parts]
	s.foldRows(g, low.g, top.ref, stems)
	for p, v := range stems { // v is at least p
		labels[p] = labels[v]
	}
	return 1, s.compact(labels[:parts], n)
}

func worthFolding(g *csr) bool {
	leaves := 0
	for v := range g.begin {
		if g.end[v]-g.begin[v] == 1 {
			leaves++
		}
	}
	return leaves*8 > len(g.begin)
}

// stems notes for every node the one that it becomes a part of: its only
// neighbour, or itself. Of two nodes that have only each other it is the smaller.
func (g *csr) stems(ref []uint32) {
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

// foldRows makes g the graph of the stems of from, each with the weight of its
// leaves as its loop.
func (s *solver) foldRows(from, g *csr, ref, stems []uint32) {
	parts := len(stems)
	g.total = from.total
	g.end, g.loops, g.strength = resize(g.end, parts), resize(g.loops, parts), resize(g.strength, parts)
	clear(g.strength)
	for v, p := range ref {
		g.strength[p] += from.strength[v]
	}
	room := uint64(0)
	for p, v := range stems {
		g.loops[p] = g.strength[p] - from.strength[v]
		g.begin[p] = room
		room += from.end[v] - from.begin[v]
	}
	g.adj = resize(g.adj, int(room))
	if from.weights == nil {
		g.weights = nil
	} else {
		g.weights = resize(g.weights, int(room))
	}
	s.crew(from.arcs).inStretches(parts, s.stop, func(_, _, lo, hi int) {
		for p := lo; p < hi; p++ {
			g.foldRow(from, ref, uint32(p), stems[p])
		}
	})
	g.arcs = 0
	for p := range stems {
		g.arcs += int(g.end[p] - g.begin[p])
	}
}

// foldRow makes row p of the one that its stem has in from. Which of its neighbours
// are leaves cannot be foreseen, so it takes no branches on that.
func (g *csr) foldRow(from *csr, ref []uint32, p, stem uint32) {
	row, weights := from.row(stem)
	at := g.begin[p]
	for i, u := range row {
		q, next := ref[u], at+1
		g.adj[at] = q
		if weights != nil {
			g.weights[at] = weights[i]
		}
		if q == p {
			next = at
		}
		at = next
	}
	g.end[p] = at
}
