package leiden

// rowChunk is how many nodes make up the rows that a member of the team builds
// at a time.
const rowChunk = 4096

// aggregate makes the parts of a level the nodes of the next one. The
// communities of the new nodes are those that their parts lie in. Rows are built
// in chunks, each with room for all arcs of its nodes, so that nothing has to be
// counted or copied; what is not needed of that room is never touched.
func (s *solver) aggregate(l, next *level, parts int) {
	g := &next.store
	next.g, next.exact = g, false
	next.count = l.count
	g.total = l.g.total
	g.begin, g.end = resize(g.begin, parts), resize(g.end, parts)
	g.loops, g.strength = resize(g.loops, parts), resize(g.strength, parts)
	g.adj, g.weights = resize(g.adj, l.g.arcs), resize(g.weights, l.g.arcs)
	next.reserve()
	var bounds []int
	var starts []uint64
	at := uint64(0)
	for p, nodes := 0, 0; p < parts; p++ {
		if p == 0 || nodes >= rowChunk {
			bounds, starts = append(bounds, p), append(starts, at)
			nodes = 0
		}
		members := l.partList[l.partFirst[p]:l.partFirst[p+1]]
		nodes += len(members)
		for _, v := range members {
			at += l.g.end[v] - l.g.begin[v]
		}
	}
	bounds = append(bounds, parts)
	arcs := make([]int, len(starts))
	s.crew(l.g.arcs).each(len(starts), func(member, item int) {
		at := starts[item]
		for p := bounds[item]; p < bounds[item+1]; p++ {
			if p%256 == 0 && s.stop.Load() {
				return
			}
			members := l.partList[l.partFirst[p]:l.partFirst[p+1]]
			next.comm[p] = l.comm[members[0]]
			end := s.scratch[member].row(l, g, uint32(p), members, at)
			arcs[item] += int(end - at)
			at = end
		}
	})
	g.arcs = 0
	for _, a := range arcs {
		g.arcs += a
	}
}

// row sums the rows of members into row p of g, which begins at position at,
// and returns its end.
func (sc *scratch) row(l *level, g *csr, p uint32, members []uint32, at uint64) uint64 {
	n := 0
	loop, strength := 0.0, 0.0
	from := l.g
	for _, v := range members {
		strength += from.strength[v]
		if from.loops != nil {
			loop += from.loops[v]
		}
		row, weights := from.row(v)
		n = sc.gather(row, weights, l.ref, n)
	}
	g.begin[p] = at
	loop += sc.acc[p] / 2
	sc.acc[p] = 0
	for _, q := range sc.keys[:n] {
		if q == p {
			continue
		}
		g.adj[at], g.weights[at] = q, float32(sc.acc[q])
		sc.acc[q] = 0
		at++
	}
	g.end[p] = at
	g.loops[p], g.strength[p] = loop, strength
	return at
}
