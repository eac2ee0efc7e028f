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
		return 0, s.compact(labels, n)
	}
	for v := range n {
		top.ref[v] = uint32(v)
		if g.end[v]-g.begin[v] != 1 {
			continue
		}
		u := g.adj[g.begin[v]]
		if g.end[u]-g.begin[u] > 1 || int(u) < v {
			top.ref[v] = u
		}
	}
	for v := range n {
		top.comm[v] = labels[top.ref[v]]
	}
	parts := s.compact(top.ref, n)
	sortByLabel(top.ref, parts, top.partFirst, top.partList)
	low := s.level(1)
	s.aggregate(top, low, parts)
	low.exact = true // each edge between parts is one of the given ones
	copy(labels, low.comm)
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
