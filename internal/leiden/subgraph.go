package leiden

// A subgraph is the graph induced by one community, with local ids as nodes. Its
// strengths count edges inside the community only, and loops only after addLoops.
type subgraph struct {
	csr

	labels         []uint32 // community of each node
	first, members []uint32
	nodes          []uint32
	localID        []uint64
	prefetch       prefetcher
}

// induce builds the subgraph of g induced by the members of one community. localID, as
// in level.localID, is set for the members and for every node that they have edges to.
func (c *subgraph) induce(g *csr, members []uint32, localID []uint64) {
	n := len(members)
	c.prefetch.reset(g, members)
	c.begin, c.end, c.strength = resize(c.begin, n), resize(c.end, n), resize(c.strength, n)
	room := 1 // the loops write one entry past the last
	for _, v := range members {
		room += int(g.end[v] - g.begin[v])
	}
	c.adj = resize(c.adj, room)
	own := localID[members[0]] >> 32
	at := uint64(0)
	c.total = 0
	if g.weights == nil {
		c.weights = nil
		for i, v := range members {
			c.prefetch.use(1)
			c.begin[i] = at
			for _, u := range g.adj[g.begin[v]:g.end[v]] {
				id := localID[u]
				c.adj[at] = uint32(id)
				if id>>32 == own {
					at++
				}
			}
			c.end[i] = at
			c.strength[i] = float64(at - c.begin[i])
		}
		c.arcs, c.total = int(at), float64(at)
		return
	}
	c.weights = resize(c.weights, room)
	for i, v := range members {
		c.prefetch.use(1)
		c.begin[i] = at
		sum := 0.0
		row, weights := g.row(v)
		for j, u := range row {
			id, next := localID[u], at
			c.adj[at], c.weights[at] = uint32(id), weights[j]
			if id>>32 == own {
				next = at + 1
			}
			sum += masked(weights[j], uint32(at-next))
			at = next
		}
		c.end[i] = at
		c.strength[i] = sum
		c.total += sum
	}
	c.arcs = int(at)
}

// addLoops adds the loops that the members have in g.
func (c *subgraph) addLoops(g *csr, members []uint32) {
	if g.loops == nil {
		return
	}
	c.loops = resize(c.loops, len(members))
	for i, v := range members {
		c.loops[i] = g.loops[v]
		c.strength[i] += 2 * g.loops[v]
		c.total += 2 * g.loops[v]
	}
}
