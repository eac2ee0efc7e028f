package leiden

// chunks divides groups of nodes, communities or parts, into chunks of some hundred
// or thousand nodes, of which a worker takes one at a time.
type chunks struct {
	bounds []int    // chunk i is the groups from bounds[i] to bounds[i+1]
	starts []uint64 // of each chunk: where its rows begin
	arcs   []int    // of each chunk: number of arcs in its rows
}

// There are about targetChunks chunks, so that workers finish at about the same time,
// but a chunk has minChunk to maxChunk nodes.
const (
	targetChunks = 16
	minChunk     = 256
	maxChunk     = 4096
)

// split makes chunks of count groups, of which group i begins at first[i].
func (c *chunks) split(count int, first []uint32) {
	c.bounds = append(c.bounds[:0], 0)
	begin := uint32(0)
	size := min(max(first[count]/targetChunks, minChunk), maxChunk)
	for i := range count {
		if first[i+1]-begin >= size || i == count-1 {
			c.bounds = append(c.bounds, i+1)
			begin = first[i+1]
		}
	}
}

func (c *chunks) count() int { return len(c.bounds) - 1 }

// aggregate makes the parts of a level the nodes of the next one. The community of a
// new node is the one that its part is in. Rows are built in chunks, each with room
// for all arcs of its nodes, so that nothing has to be counted or copied; unused room
// is never touched.
func (s *solver) aggregate(l, next *level, parts int) {
	g := &next.store
	next.g, next.exact = g, false
	next.count = l.count
	g.total = l.g.total
	g.begin, g.end = resize(g.begin, parts), resize(g.end, parts)
	g.loops, g.strength = resize(g.loops, parts), resize(g.strength, parts)
	g.adj, next.weights = resize(g.adj, l.g.arcs), resize(next.weights, l.g.arcs)
	g.weights = next.weights
	next.reserve()
	c := &s.chunks
	c.split(parts, l.partFirst)
	c.starts, c.arcs = resize(c.starts, c.count()), resize(c.arcs, c.count())
	at := uint64(0)
	for i := range c.starts {
		c.starts[i] = at
		for _, v := range l.partMembers[l.partFirst[c.bounds[i]]:l.partFirst[c.bounds[i+1]]] {
			at += l.g.end[v] - l.g.begin[v]
		}
	}
	s.teamFor(l.g.arcs).forEach(c.count(), func(worker, item int) {
		at := c.starts[item]
		c.arcs[item] = 0
		sc := s.scratch[worker]
		sc.prefetch.reset(l.g, l.partMembers[l.partFirst[c.bounds[item]]:l.partFirst[c.bounds[item+1]]])
		for p := c.bounds[item]; p < c.bounds[item+1]; p++ {
			if p%256 == 0 && s.stop.Load() {
				return
			}
			members := l.partMembers[l.partFirst[p]:l.partFirst[p+1]]
			next.comm[p] = l.comm[members[0]]
			sc.prefetch.use(len(members))
			end := sc.aggregateRow(l, g, uint32(p), members, at)
			c.arcs[item] += int(end - at)
			at = end
		}
	})
	g.arcs = 0
	for _, arcs := range c.arcs {
		g.arcs += arcs
	}
}

// aggregateRow sums the rows of members into row p of g, which begins at index at, and
// returns its end.
func (sc *scratch) aggregateRow(l *level, g *csr, p uint32, members []uint32, at uint64) uint64 {
	n := 0
	loop, strength := 0.0, 0.0
	from := l.g
	for _, v := range members {
		strength += from.strength[v]
		if from.loops != nil {
			loop += from.loops[v]
		}
		row, weights := from.row(v)
		n = sc.gather(row, weights, l.coarse, n)
	}
	g.begin[p] = at
	loop += float64(sc.acc[p] / 2)
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
