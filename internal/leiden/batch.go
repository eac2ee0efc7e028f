package leiden

// On large levels nodes are visited in batches. A batch is evaluated in parallel
// against the state at its start; then one goroutine commits its moves in order,
// each with the totals at that moment. So the result does not depend on the number
// of workers. The size of a batch depends only on the graph.
const (
	minBatch = 64
	maxBatch = 16384
	// chunkArcs is about how many arcs of a batch a worker takes at a time, within
	// minChunkNodes and maxChunkNodes nodes.
	chunkArcs     = 1500
	minChunkNodes = 4
	maxChunkNodes = 64
	// roughSweeps is the number of first sweeps that commit moves as they were
	// evaluated at the start of their batch. Nodes that move in them are visited
	// again. Later sweeps evaluate each move again before committing it, or else
	// pairs of nodes would swap places for ever.
	roughSweeps = 2
	// firstSweepTies is how many communities of equal weight are tried in the first
	// sweep over singletons. Most weights are equal then, and deciding by their totals
	// means loads that miss the cache.
	firstSweepTies = 4
)

// A batcher is a mover with one batch of nodes and their proposals.
type batcher struct {
	*mover
	nodes     []uint32
	proposals []proposal
}

// moveBatches is the local moving phase in batches, with at most maxSweeps sweeps. It
// returns what the moves gained, in units of edge weight.
func (s *solver) moveBatches(m *mover, tolerance float64, maxSweeps int) float64 {
	m.lazyTotals = true
	n := m.g.nodes()
	size := min(max(n/64, minBatch), maxBatch)
	b := batcher{mover: m, nodes: make([]uint32, 0, size), proposals: make([]proposal, size)}
	blocks, width := s.shuffledBlocks(n)
	width = min(width, size)
	blocks = s.reshuffleIfNarrower(blocks, n, width)
	moved, total := 0, 0.0
	if m.count == n { // all are singletons: most will move
		moved, m.maxTies = n, firstSweepTies
	}
	for sweep := range maxSweeps {
		// With tolerance 0 every move must truly gain, or the phase would never end.
		rough := sweep < roughSweeps && !m.skipRough && m.changed == nil && tolerance > 0
		// If many nodes move the next sweep visits all: activating neighbours would take longer.
		visitAll := rough && moved > n/4
		before := m.moves
		gained := s.sweepBatches(&b, blocks, width, rough, visitAll)
		m.maxTies = 0
		total += gained
		if s.stop.Load() {
			break
		}
		moved = m.moves - before
		if moved == 0 || !rough && 2*gained/m.g.total <= tolerance {
			break
		}
	}
	return total
}

// sweepBatches visits the active nodes in batches and returns what their moves gained, in
// units of edge weight. blocks lists the numbers of blocks of width nodes in the order of
// the visit. A rough sweep commits moves as they were evaluated at the start of their
// batch. With visitAll it makes all nodes active at the end, instead of the neighbours of
// those that moved.
func (s *solver) sweepBatches(b *batcher, blocks []uint32, width int, rough, visitAll bool) float64 {
	n, gained := b.g.nodes(), 0.0
	for i, block := range blocks {
		lo := int(block) * width
		for v := lo; v < min(lo+width, n); v++ {
			if b.active[v] {
				b.active[v] = false
				b.nodes = append(b.nodes, uint32(v))
			}
		}
		if len(b.nodes)+width <= len(b.proposals) && i < len(blocks)-1 {
			continue
		}
		if s.stop.Load() {
			return gained
		}
		s.evaluate(b)
		gained += b.commitAll(s.scratch[0], !rough, visitAll)
		b.nodes = b.nodes[:0]
	}
	if visitAll {
		b.activateAll()
	}
	return gained
}

// reshuffleIfNarrower returns the blocks in random order for their final width, which
// the size of a batch may have limited.
func (s *solver) reshuffleIfNarrower(blocks []uint32, n, width int) []uint32 {
	if want := (n + width - 1) / width; want != len(blocks) {
		sc := s.scratch[0]
		sc.order = resize(sc.order, want)
		for i := range sc.order {
			sc.order[i] = uint32(i)
		}
		s.rng.shuffle(sc.order)
		return sc.order
	}
	return blocks
}

// evaluate fills in the proposals of a batch.
func (s *solver) evaluate(b *batcher) {
	count := len(b.nodes)
	prefetch := b.g.nodes() >= prefetchLabelsFactor*s.options.prefetchNodes
	chunk := min(max(chunkArcs*b.g.nodes()/max(b.g.arcs, 1), minChunkNodes), maxChunkNodes)
	s.team.forEach((count+chunk-1)/chunk, func(worker, item int) {
		sc := s.scratch[worker]
		lo := item * chunk
		nodes, proposals := b.nodes[lo:min(lo+chunk, count)], b.proposals[lo:]
		if prefetch {
			b.proposePrefetched(sc, nodes, proposals)
			return
		}
		for i, v := range nodes {
			proposals[i] = b.propose(sc, v)
		}
	})
}

// propose evaluates one node.
func (b *batcher) propose(sc *scratch, v uint32) proposal {
	row, weights := b.g.row(v)
	own := b.comm[v]
	if len(row) == 0 || len(row) == 1 && b.leavesStay && b.comm[row[0]] == own {
		return proposal{to: own}
	}
	n := sc.gather(row, weights, b.comm, 0)
	return b.bestProposal(sc, n, own, b.g.strength[v])
}

// commitAll commits the moves of a batch and returns what they gained. With reevaluate,
// each node is evaluated again just before its move; without, a node that moved stays
// active, as its neighbours become. With visitAll, no node is made active here.
func (b *batcher) commitAll(sc *scratch, reevaluate, visitAll bool) float64 {
	gained := 0.0
	for i, v := range b.nodes {
		own := b.comm[v]
		p := b.proposals[i]
		if p.to == own {
			continue
		}
		if reevaluate {
			if p = b.propose(sc, v); p.to == own {
				continue
			}
		}
		to := p.to
		switch {
		case to == none && b.size[own] == 1:
			continue
		case to == none:
			to = b.takeEmpty()
		case b.size[to] == 0: // all its nodes left it in this batch
			b.active[v] = true
			continue
		}
		gained += p.gain
		b.commit(v, own, to, b.g.strength[v])
		if !visitAll {
			row, _ := b.g.row(v)
			b.activate(row, to)
			if !reevaluate {
				b.active[v] = true
			}
		}
	}
	return gained
}
