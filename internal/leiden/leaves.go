package leiden

// mergeLeaves merges every leaf, a node with one neighbour, into that neighbour, its
// stem, if the resolution is at most 1: then a leaf always belongs to the community of
// its stem, since leaving it never gains. A stem whose neighbours are all leaves is a
// star: with them it is a community, which is left out of the base level. Graphs of
// extracted text are full of leaves and stars. Afterwards labels starts with the labels
// of the nodes of the base level. It returns the number of communities.
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
	for p, v := range stems { // in place, since v >= p
		labels[p] = labels[v]
	}
	s.base, s.leavesMerged = 1, true
	base := s.level(s.base)
	base.g, base.exact = &base.store, true // each edge between stems is one of the given graph
	s.buildStemGraph(g, base, top.coarse, stems)
	base.reserve()
	return s.compact(labels[:len(stems)], n)
}

// unmergeLeaves labels every node with the label of its stem and returns the number of
// communities, stars included.
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

// changedStems returns which stems changed, or have a leaf that did. stemOf holds the
// number of each node's stem; those from stems on are stars.
func changedStems(changed []bool, stemOf []uint32, stems int) []bool {
	byStem := make([]bool, stems)
	for v, c := range changed {
		if c && int(stemOf[v]) < stems {
			byStem[stemOf[v]] = true
		}
	}
	return byStem
}

// manyLeaves reports whether more than one node in eight is a leaf.
func manyLeaves(g *csr) bool {
	leaves := 0
	for v := range g.begin {
		if g.end[v]-g.begin[v] == 1 {
			leaves++
		}
	}
	return leaves*8 > len(g.begin)
}

// findStems sets stemOf of each leaf to its neighbour, and of any other node to itself.
// Of two nodes that have only each other as neighbours, the smaller is the stem.
func (g *csr) findStems(stemOf []uint32) {
	last := uint64(len(g.adj)) - 1
	for v := range stemOf {
		begin, stem := g.begin[v], uint32(v)
		u := g.adj[min(begin, last)]
		if g.end[v]-begin == 1 {
			stem = u
		}
		if g.end[stem]-g.begin[stem] == 1 {
			stem = min(stem, uint32(v))
		}
		stemOf[v] = stem
	}
}

// numberStems replaces the stems in stemOf by their numbers: stems that have neighbours
// left are numbered from 0, and returned; stars are numbered from the highest number
// down, and recorded in s.stars. It does not branch on the kind of a
// node, because that branch would be unpredictable.
func (s *solver) numberStems(g *csr, stemOf []uint32) []uint32 {
	n := len(stemOf)
	sc := s.scratch[0]
	sc.order = resize(sc.order, n+1)
	stems, number := sc.order, s.keys[:n]
	for v := range number { // first the number of neighbours that are not leaves
		number[v] = uint32(g.end[v] - g.begin[v])
	}
	for v, stem := range stemOf {
		leaf := uint32(1)
		if int(stem) == v {
			leaf = 0
		}
		number[stem] -= leaf
	}
	count, starCount := 0, 0
	for v, stem := range stemOf {
		left, isStem, linked := number[v], 0, 0
		to := uint32(n - 1 - starCount)
		if int(stem) == v {
			isStem = 1
		}
		if left != 0 {
			linked = isStem
		}
		if linked != 0 {
			to = uint32(count)
		}
		stems[count], stems[n-starCount], number[v] = uint32(v), uint32(v), to
		count += linked
		starCount += isStem - linked
	}
	for v, stem := range stemOf {
		stemOf[v] = number[stem]
	}
	s.stars.add(g, stems[n+1-starCount:])
	return stems[:count]
}

// stars are the communities of stems whose neighbours are all leaves, or that have
// none.
type stars struct {
	count           int
	weight, squares float64 // sum of their total strengths, and of the squares of these
}

// add adds the stars of the given stems.
func (s *stars) add(g *csr, stems []uint32) {
	s.count += len(stems)
	for _, v := range stems {
		k := 2 * g.strength[v]
		s.weight += k
		s.squares += float64(k * k)
	}
}

// modularity returns what the stars contribute to the modularity of a partition.
func (s *stars) modularity(total, resolution float64) float64 {
	if s.weight == 0 {
		return 0
	}
	return s.weight/total - resolution*s.squares/(total*total)
}

// buildStemGraph makes base the subgraph of from on the given stems, each with the weight
// of its leaves as its loop. stemOf holds the number of each node's stem.
func (s *solver) buildStemGraph(from *csr, base *level, stemOf, stems []uint32) {
	g, parts := base.g, len(stems)
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
		base.weights = resize(base.weights, int(room))
		g.weights = base.weights
	}
	s.teamFor(from.arcs).forStretches(parts, s.stop, func(_, _, lo, hi int) {
		for p := lo; p < hi; p++ {
			g.buildStemRow(from, stemOf, uint32(p), stems[p])
		}
	})
	g.arcs = 0
	for p := range stems {
		g.arcs += int(g.end[p] - g.begin[p])
	}
}

// buildStemRow builds row p from the row of its stem in from. It does not branch on which
// neighbours are leaves, because that branch would be unpredictable.
func (g *csr) buildStemRow(from *csr, stemOf []uint32, p, stem uint32) {
	row, weights := from.row(stem)
	at, loop := g.begin[p], 0.0
	if weights == nil {
		for _, u := range row {
			q, next := stemOf[u], at
			g.adj[at] = q
			if q != p {
				next = at + 1
			}
			at = next
		}
		loop = float64(len(row)) - float64(at-g.begin[p])
	} else {
		for i, u := range row {
			q, next := stemOf[u], at
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
