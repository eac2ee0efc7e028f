package leiden

// On large levels the loads that a row causes miss the cache: the label of each
// neighbour comes from an array of megabytes, and the sum of that label from another
// one. These misses dominate the loops. Issuing many loads together overlaps their
// latency, so rows and labels are prefetched, and sums are made in a table that stays
// in the L1 cache. The result is the same to the last bit.
const (
	// prefetchNodes is the number of nodes from which rows are prefetched.
	prefetchNodes = 1 << 15
	// prefetchLabelsFactor times prefetchNodes is the number of nodes from which labels
	// are prefetched too.
	prefetchLabelsFactor = 4
	// rowsAhead is how many rows are prefetched together.
	rowsAhead = 32
	// labelsAhead is the number of prefetched labels from which no further row is added.
	labelsAhead = 512
)

// A prefetcher loads rows into the cache ahead of their use, which is in the order of
// its nodes.
type prefetcher struct {
	minNodes int // nodes of a graph from which its rows are prefetched; 0: never
	g        *csr
	nodes    []uint32 // whose rows are not loaded yet
	ahead    int      // rows that are loaded and not used yet
	sink     uint32   // receives what was loaded, so that the compiler keeps the loads
}

// reset starts a new pass over the rows of nodes. Small graphs are not prefetched.
func (r *prefetcher) reset(g *csr, nodes []uint32) {
	r.g, r.nodes, r.ahead = g, nodes, 0
	if r.minNodes == 0 || g.nodes() < r.minNodes {
		r.nodes = nil
	}
}

// use marks the next n rows as used, and loads further ones when none is left.
func (r *prefetcher) use(n int) {
	if len(r.nodes) == 0 {
		return
	}
	if r.ahead -= n; r.ahead < 0 {
		r.load(max(rowsAhead, -r.ahead))
	}
}

// load touches the next n rows: the first, the middle and the last entry of each.
func (r *prefetcher) load(n int) {
	n = min(n, len(r.nodes))
	g, seen := r.g, uint32(0)
	for _, v := range r.nodes[:n] {
		begin, end := g.begin[v], g.end[v]
		if begin == end {
			continue
		}
		seen ^= g.adj[begin] ^ g.adj[(begin+end)/2] ^ g.adj[end-1]
	}
	r.nodes, r.ahead, r.sink = r.nodes[n:], r.ahead+n, seen
}

// proposePrefetched fills in the proposals of nodes, prefetching labels and summing in
// the L1 cache.
func (b *batcher) proposePrefetched(sc *scratch, nodes []uint32, proposals []proposal) {
	if sc.l1 == nil {
		sc.l1, sc.labels = newL1Sums(), make([]uint32, labelsAhead+maxL1Row)
	}
	for len(nodes) > 0 {
		n := b.prefetchLabels(sc, nodes, proposals)
		labels := sc.labels
		for _, i := range sc.undecided {
			v := nodes[i]
			row, weights := b.g.row(v)
			if !fitsL1(row) {
				proposals[i] = b.propose(sc, v)
				continue
			}
			proposals[i] = b.proposeL1(sc, v, labels[:len(row)], weights)
			labels = labels[len(row):]
		}
		nodes, proposals = nodes[n:], proposals[n:]
	}
}

// prefetchLabels loads the labels of the rows of the first nodes and returns how many
// nodes it took. It fills in the proposals of those that surely stay. The others are
// in sc.undecided, and the labels of the rows of these that fit L1 in sc.labels. It
// is branch-free on whether a node stays, which is unpredictable.
func (b *batcher) prefetchLabels(sc *scratch, nodes []uint32, proposals []proposal) (n int) {
	sc.undecided = resize(sc.undecided, maxChunkNodes)
	count, at := 0, 0
	for n < len(nodes) && at < labelsAhead {
		v, moves := nodes[n], 1
		row, weights := b.g.row(v)
		if fitsL1(row) {
			own := b.comm[v]
			proposals[n] = proposal{to: own}
			if b.surelyStays(v, own, loadLabels(sc.labels[at:], row, weights, b.comm, own)) {
				moves = 0
			}
			at += moves * len(row)
		}
		sc.undecided[count] = uint32(n)
		count += moves
		n++
	}
	sc.undecided = sc.undecided[:count]
	return n
}

// loadLabels copies the labels of a row into to and returns the weight of the edges to
// the node's own community.
func loadLabels(to, row []uint32, weights []float32, labels []uint32, own uint32) float64 {
	to = to[:len(row)]
	if weights == nil {
		same := 0
		for i, u := range row {
			c := labels[u]
			to[i] = c
			if c == own {
				same++
			}
		}
		return float64(same)
	}
	weights = weights[:len(row)]
	sum := 0.0
	for i, u := range row {
		c, same := labels[u], uint32(0)
		to[i] = c
		if c == own {
			same = 1
		}
		sum += masked(weights[i], -same)
	}
	return sum
}

// proposeL1 is propose with the labels of the row given and sums in the L1 cache.
func (b *batcher) proposeL1(sc *scratch, v uint32, labels []uint32, weights []float32) proposal {
	n, ok := sc.l1.gather(labels, weights, sc.keys)
	if !ok {
		return b.propose(sc, v)
	}
	return b.bestProposalL1(sc.l1, sc.keys[:n], b.comm[v], b.g.strength[v])
}
