package leiden

// A subgraph is one community as a graph of its own. Its strengths count the
// edges inside it, and not the loops.
type subgraph struct {
	csr

	labels         []uint32 // of its communities
	first, members []uint32
	nodes          []uint32
	localID          []uint64
	prefetch           prefetcher
}

// induce makes the members of one community of g a graph of their own. place holds
// the community and the position among members of every node that members have
// edges to.
func (c *subgraph) induce(g *csr, members []uint32, place []uint64) {
	n := len(members)
	c.prefetch.reset(g, members)
	c.begin, c.end, c.strength = resize(c.begin, n), resize(c.end, n), resize(c.strength, n)
	room := 1 // a position past the last is written to
	for _, v := range members {
		room += int(g.end[v] - g.begin[v])
	}
	c.adj = resize(c.adj, room)
	own := place[members[0]] >> 32
	at := uint64(0)
	c.total = 0
	if g.weights == nil {
		c.weights = nil
		for i, v := range members {
			c.prefetch.use(1)
			c.begin[i] = at
			for _, u := range g.adj[g.begin[v]:g.end[v]] {
				p := place[u]
				c.adj[at] = uint32(p)
				if p>>32 == own {
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
			p, next := place[u], at
			c.adj[at], c.weights[at] = uint32(p), weights[j]
			if p>>32 == own {
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

// addLoops takes over the loops of the members of a cutout of g.
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
