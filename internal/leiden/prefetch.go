package leiden

// On large levels what rows name lies far from the processor: a label in an array
// of megabytes, and by it a sum in another one. To wait for such a value takes
// longer than to compute with it, and many that are asked for at once take little
// longer than one. So rows and labels are read ahead of their use there, and sums
// are made in a table that stays close. The result is the same to the last bit.
const (
	// prefetchNodes is the number of nodes from which rows are far apart.
	prefetchNodes = 1 << 15
	// prefetchLabelsFactor is how many times as many nodes there are when labels are far too.
	prefetchLabelsFactor = 4
	// rowsAhead is how many rows are read ahead.
	rowsAhead = 32
	// labelsAhead is how many labels are read ahead before those of another row are not.
	labelsAhead = 512
)

// A prefetcher reads rows ahead of who uses them in the order of the nodes.
type prefetcher struct {
	minNodes   int // nodes of a graph from which rows are far apart; 0 for none
	g     *csr
	nodes []uint32 // whose rows are not read yet
	ahead  int      // rows that are read and not used
	sink  uint32   // keeps the compiler from leaving out what is only read
}

// reset begins anew, and reads nothing ahead where rows are not far apart.
func (r *prefetcher) reset(g *csr, nodes []uint32) {
	r.g, r.nodes, r.ahead = g, nodes, 0
	if r.minNodes == 0 || g.nodes() < r.minNodes {
		r.nodes = nil
	}
}

// use says that the next n rows are used now.
func (r *prefetcher) use(n int) {
	if len(r.nodes) == 0 {
		return
	}
	if r.ahead -= n; r.ahead < 0 {
		r.load(max(rowsAhead, -r.ahead))
	}
}

// load touches the next n rows: the beginning of each, its middle and its end.
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

// proposePrefetched fills in proposals where labels are far apart.
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

// prefetchLabels reads the labels of the rows of the first nodes and returns of how
// many nodes. It fills in the proposals of those that stay, and lists the others
// with the labels of those rows that are summed close by. It takes no branch on
// what stays: that cannot be foreseen.
func (b *batcher) prefetchLabels(sc *scratch, nodes []uint32, proposals []proposal) (n int) {
	sc.undecided = resize(sc.undecided, maxChunkNodes)
	open, at := 0, 0
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
		sc.undecided[open] = uint32(n)
		open += moves
		n++
	}
	sc.undecided = sc.undecided[:open]
	return n
}

// loadLabels notes the labels of a row and sums the weights to a node's own community.
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

// proposeL1 is propose with the labels of the row.
func (b *batcher) proposeL1(sc *scratch, v uint32, labels []uint32, weights []float32) proposal {
	n, ok := sc.l1.gather(labels, weights, sc.keys)
	if !ok {
		return b.propose(sc, v)
	}
	return b.bestProposalL1(sc.l1, sc.keys[:n], b.comm[v], b.g.strength[v])
}
