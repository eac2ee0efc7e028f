package leiden

// On large levels nodes are visited in batches. A batch is evaluated in
// parallel against the state at its start, then its moves are made in order by
// one goroutine, each with the totals of that moment. So the result does not
// depend on how many goroutines evaluate. The size of a batch follows from the
// graph alone.
const (
	minBatch = 64
	maxBatch = 16384
	// chunkArcs is how many arcs of a batch a member of the team takes at a time, or
	// thereabouts: never fewer or more nodes than these.
	chunkArcs     = 1500
	minChunkNodes = 4
	maxChunkNodes = 64
	// roughSweeps make moves with the sums found at the start of their batch.
	// What moves in them is seen again. Later sweeps sum again before each move:
	// else pairs of nodes would change places for ever.
	roughSweeps = 2
	// firstSweepTies is how many communities of equal weight are tried when all nodes
	// are alone: then most are equal, and their totals decide, far away.
	firstSweepTies = 4
)

// A batcher is a mover with the proposals of a batch.
type batcher struct {
	*mover
	nodes     []uint32
	proposals []proposal
}

// moveBatches is move with batches, and so many sweeps at most. It returns what the
// moves gained, as weight.
func (s *solver) moveBatches(m *mover, tolerance float64, sweeps int) float64 {
	m.lazyTotals = true
	n := m.g.nodes()
	size := min(max(n/64, minBatch), maxBatch)
	b := batcher{mover: m, nodes: make([]uint32, 0, size), proposals: make([]proposal, size)}
	blocks, width := s.shuffledBlocks(n)
	width = min(width, size)
	blocks = s.reshuffleIfNarrower(blocks, n, width)
	moved, total := 0, 0.0
	if m.count == n { // all are alone: most will move
		moved, m.maxTies = n, firstSweepTies
	}
	for sweep := range sweeps {
		// With tolerance 0 every move must truly gain, or it would never end.
		rough := sweep < roughSweeps && !m.skipRough && m.changed == nil && tolerance > 0
		// Where most move the next sweep visits all: to flag their neighbours takes longer.
		quiet := rough && moved > n/4
		before := m.moves
		gained := s.sweepBatches(&b, blocks, width, rough, quiet)
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

// sweepBatches visits the flagged nodes in batches and returns what their moves
// gained, as weight. A quiet one flags all nodes in the end.
func (s *solver) sweepBatches(b *batcher, blocks []uint32, width int, rough, quiet bool) float64 {
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
		gained += b.commitAll(s.scratch[0], !rough, quiet)
		b.nodes = b.nodes[:0]
	}
	if quiet {
		b.activateAll()
	}
	return gained
}

// reshuffleIfNarrower keeps a random order of blocks when they had to become narrower.
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
	far := b.g.nodes() >= prefetchLabelsFactor*s.options.prefetchNodes
	chunk := min(max(chunkArcs*b.g.nodes()/max(b.g.arcs, 1), minChunkNodes), maxChunkNodes)
	s.team.forEach((count+chunk-1)/chunk, func(member, item int) {
		sc := s.scratch[member]
		lo := item * chunk
		nodes, proposals := b.nodes[lo:min(lo+chunk, count)], b.proposals[lo:]
		if far {
			b.proposePrefetched(sc, nodes, proposals)
			return
		}
		for i, v := range nodes {
			proposals[i] = b.propose(sc, v)
		}
	})
}

func (b *batcher) propose(sc *scratch, v uint32) proposal {
	row, weights := b.g.row(v)
	own := b.comm[v]
	if len(row) == 0 || len(row) == 1 && b.leavesStay && b.comm[row[0]] == own {
		return proposal{to: own}
	}
	n := sc.gather(row, weights, b.comm, 0)
	return b.bestProposal(sc, n, own, b.g.strength[v])
}

// commitAll makes the moves of a batch. With again set, each is evaluated anew
// and made as it then turns out; else what moved is flagged as its neighbours are.
// quiet leaves out flagging.
func (b *batcher) commitAll(sc *scratch, again, quiet bool) float64 {
	gained := 0.0
	for i, v := range b.nodes {
		own := b.comm[v]
		p := b.proposals[i]
		if p.to == own {
			continue
		}
		if again {
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
		case b.size[to] == 0: // its nodes left in this batch
			b.active[v] = true
			continue
		}
		gained += p.gain
		b.commit(v, own, to, b.g.strength[v])
		if !quiet {
			row, _ := b.g.row(v)
			b.activate(row, to)
			if !again {
				b.active[v] = true
			}
		}
	}
	return gained
}
