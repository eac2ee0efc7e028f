package leiden

// On large levels what rows name lies far from the processor: a label in an array
// of megabytes, and by it a sum in another one. To wait for such a value takes
// longer than to compute with it, and many that are asked for at once take little
// longer than one. So rows and labels are read ahead of their use there, and sums
// are made in a table that stays close. The result is the same to the last bit.
const (
	// farNodes is the number of nodes from which rows are far apart.
	farNodes = 1 << 15
	// farLabels is how many times as many nodes there are when labels are far too.
	farLabels = 4
	// rowsAhead is how many rows are read ahead.
	rowsAhead = 32
	// labelsAhead is how many labels are read ahead before those of another row are not.
	labelsAhead = 512
)

// A reader reads rows ahead of who uses them in the order of the nodes.
type reader struct {
	far   int // nodes of a graph from which rows are far apart; 0 for none
	g     *csr
	nodes []uint32 // whose rows are not read yet
	left  int      // rows that are read and not used
	seen  uint32   // keeps the compiler from leaving out what is only read
}

// of begins anew, and reads nothing ahead where rows are not far apart.
func (r *reader) of(g *csr, nodes []uint32) {
	r.g, r.nodes, r.left = g, nodes, 0
	if r.far == 0 || g.nodes() < r.far {
		r.nodes = nil
	}
}

// use says that the next n rows are used now.
func (r *reader) use(n int) {
	if len(r.nodes) == 0 {
		return
	}
	if r.left -= n; r.left < 0 {
		r.read(max(rowsAhead, -r.left))
	}
}

// read touches the next n rows: the beginning of each, its middle and its end.
func (r *reader) read(n int) {
	n = min(n, len(r.nodes))
	g, seen := r.g, uint32(0)
	for _, v := range r.nodes[:n] {
		begin, end := g.begin[v], g.end[v]
		if begin == end {
			continue
		}
		seen ^= g.adj[begin] ^ g.adj[(begin+end)/2] ^ g.adj[end-1]
	}
	r.nodes, r.left, r.seen = r.nodes[n:], r.left+n, seen
}

// proposeFar fills in proposals where labels are far apart.
func (b *batcher) proposeFar(sc *scratch, nodes []uint32, proposals []proposal) {
	if sc.close == nil {
		sc.close, sc.ahead = newCloseSums(), make([]uint32, labelsAhead+closeRow)
	}
	for len(nodes) > 0 {
		n := b.readLabels(sc, nodes, proposals)
		labels := sc.ahead
		for _, i := range sc.open {
			v := nodes[i]
			row, weights := b.g.row(v)
			if !isClose(row) {
				proposals[i] = b.propose(sc, v)
				continue
			}
			proposals[i] = b.proposeClose(sc, v, labels[:len(row)], weights)
			labels = labels[len(row):]
		}
		nodes, proposals = nodes[n:], proposals[n:]
	}
}

// readLabels reads the labels of the rows of the first nodes and returns of how
// many nodes. It fills in the proposals of those that stay, and lists the others
// with the labels of those rows that are summed close by. It takes no branch on
// what stays: that cannot be foreseen.
func (b *batcher) readLabels(sc *scratch, nodes []uint32, proposals []proposal) (n int) {
	sc.open = resize(sc.open, maxChunkNodes)
	open, at := 0, 0
	for n < len(nodes) && at < labelsAhead {
		v, moves := nodes[n], 1
		row, weights := b.g.row(v)
		if isClose(row) {
			own := b.comm[v]
			proposals[n] = proposal{to: own}
			if b.stays(v, own, readRow(sc.ahead[at:], row, weights, b.comm, own)) {
				moves = 0
			}
			at += moves * len(row)
		}
		sc.open[open] = uint32(n)
		open += moves
		n++
	}
	sc.open = sc.open[:open]
	return n
}

// readRow notes the labels of a row and sums the weights to a node's own community.
func readRow(to, row []uint32, weights []float32, labels []uint32, own uint32) float64 {
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

// proposeClose is propose with the labels of the row.
func (b *batcher) proposeClose(sc *scratch, v uint32, labels []uint32, weights []float32) proposal {
	n, ok := sc.close.gather(labels, weights, sc.keys)
	if !ok {
		return b.propose(sc, v)
	}
	return b.pickClose(sc.close, sc.keys[:n], b.comm[v], b.g.strength[v])
}
