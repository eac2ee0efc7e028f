package leiden

// aggregate makes the parts of a level the nodes of the next one. The
// communities of the new nodes are those that their parts lie in.
func (s *solver) aggregate(l, next *level, parts int) {
	sortByLabel(l.ref, parts, l.refFirst, l.refList)
	g := &next.store
	next.g = g
	g.total = l.g.total
	g.begin, g.end = resize(g.begin, parts), resize(g.end, parts)
	g.loops, g.strength = resize(g.loops, parts), resize(g.strength, parts)
	g.adj, g.weights = resize(g.adj, len(l.g.adj)), resize(g.weights, len(l.g.adj))
	next.reserve()
	next.count = l.count
	at := uint64(0)
	for p := range parts {
		if p%1024 == 0 && s.stop.Load() {
			return
		}
		members := l.refList[l.refFirst[p]:l.refFirst[p+1]]
		next.comm[p] = l.comm[members[0]]
		at = s.row(l, g, uint32(p), members, at)
	}
}

// row sums the rows of members into row p of g, which begins at position at,
// and returns its end.
func (s *solver) row(l *level, g *csr, p uint32, members []uint32, at uint64) uint64 {
	acc, keys := s.scratch.acc, s.scratch.keys
	n := 0
	loop, strength := 0.0, 0.0
	from := l.g
	for _, v := range members {
		strength += from.strength[v]
		if from.loops != nil {
			loop += from.loops[v]
		}
		for i := from.begin[v]; i < from.end[v]; i++ {
			q := l.ref[from.adj[i]]
			a := acc[q]
			keys[n] = q
			if a == 0 {
				n++
			}
			acc[q] = a + from.weight(i)
		}
	}
	g.begin[p] = at
	for _, q := range keys[:n] {
		w := acc[q]
		acc[q] = 0
		if q == p {
			loop += w / 2
			continue
		}
		g.adj[at], g.weights[at] = q, float32(w)
		at++
	}
	g.end[p] = at
	g.loops[p], g.strength[p] = loop, strength
	return at
}
