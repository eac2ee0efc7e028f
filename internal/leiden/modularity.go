package leiden

import "sync/atomic"

// stretchNodes is how many nodes a worker processes at a time, and therefore the most
// that it still processes after the context is cancelled.
const stretchNodes = 1024

// forStretches calls do in parallel for stretches [lo, hi) of n nodes. It starts no
// further stretch once stop is set.
func (t *team) forStretches(n int, stop *atomic.Bool, do func(worker, stretch, lo, hi int)) {
	t.forEach((n+stretchNodes-1)/stretchNodes, func(worker, i int) {
		if !stop.Load() {
			do(worker, i, i*stretchNodes, min((i+1)*stretchNodes, n))
		}
	})
}

// quality returns the modularity of a partition with labels below count. The result
// is meaningless if stop is set meanwhile.
func quality(g *csr, labels []uint32, count int, resolution float64, t *team, stop *atomic.Bool) float64 {
	if g.total == 0 {
		return 0
	}
	inside := make([]float64, len(labels))
	t.forStretches(len(labels), stop, func(_, _, lo, hi int) {
		for v := lo; v < hi; v++ {
			c, sum := labels[v], 0.0
			row, weights := g.row(uint32(v))
			for i, u := range row {
				if labels[u] != c {
					continue
				}
				if weights == nil {
					sum++
				} else {
					sum += float64(weights[i])
				}
			}
			inside[v] = sum
		}
	})
	return g.modularity(labels, g.totals(labels, count), inside, resolution)
}

// totals sums the strengths of the nodes of each community.
func (g *csr) totals(labels []uint32, count int) []float64 {
	tot := make([]float64, count)
	for v, c := range labels {
		tot[c] += g.strength[v]
	}
	return tot
}

// modularity returns the modularity of a partition. tot holds the total strength of
// each community, inside the weight of each node's edges to its own community, not
// counting loops.
func (g *csr) modularity(labels []uint32, tot, inside []float64, resolution float64) float64 {
	within := make([]float64, len(tot))
	for v, c := range labels {
		within[c] += inside[v]
		if g.loops != nil {
			within[c] += 2 * g.loops[v]
		}
	}
	q := 0.0
	for c := range tot {
		share := tot[c] / g.total
		q += within[c]/g.total - float64(resolution*share*share)
	}
	return q
}

// evaluationGraph returns the graph on which a partition of the problem is evaluated,
// with the labels of its nodes: the given graph or, if leaves were merged into their
// stems or the graph was reordered, the graph of the base level.
func (s *solver) evaluationGraph(labels []uint32) (*csr, []uint32) {
	g := s.baseGraph()
	if s.base == 0 {
		return g, labels
	}
	byStem := s.keys[:len(labels)]
	for v, stem := range s.levels[0].coarse {
		byStem[stem] = labels[v]
	}
	return g, byStem[:g.nodes()]
}

// quality returns the modularity of a partition of the problem.
func (s *solver) quality(labels []uint32, count int, resolution float64) float64 {
	g, labels := s.evaluationGraph(labels)
	return quality(g, labels, count, resolution, s.teamFor(g.arcs), s.stop) + s.stars.modularity(g.total, resolution)
}
