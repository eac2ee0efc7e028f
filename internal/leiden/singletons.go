package leiden

// mergeSingletons moves every singleton to the best community that it has an edge to,
// and returns the new number of communities. Local moving leaves singletons where it
// ends by its tolerance just after the other members left a community. At a resolution
// of at most 1 a singleton without a loop always gains by joining some neighbour: its
// gains over all neighbouring communities sum to more than zero.
func (s *solver) mergeSingletons(g *csr, labels []uint32, count int, resolution float64) int {
	if resolution > 1 || s.stop.Load() {
		return count
	}
	sc := s.scratch[0]
	sc.sizes = resize(sc.sizes, count)
	clear(sc.sizes)
	for _, c := range labels {
		sc.sizes[c]++
	}
	var totals []float64
	for v, c := range labels {
		if sc.sizes[c] != 1 || g.begin[v] == g.end[v] || g.loops != nil && g.loops[v] > 0 {
			continue
		}
		if totals == nil {
			totals = g.totals(labels, count)
		}
		to := sc.bestNeighbour(g, uint32(v), labels, totals, s.gamma)
		labels[v] = to
		totals[to] += g.strength[v]
		sc.sizes[to]++
		sc.sizes[c] = 0
	}
	if totals == nil {
		return count
	}
	return s.compact(labels, count)
}

// bestNeighbour returns the community, of those that a node has edges to, that it gains
// most by joining.
func (sc *scratch) bestNeighbour(g *csr, v uint32, labels []uint32, totals []float64, gamma float64) uint32 {
	row, weights := g.row(v)
	to, most := labels[row[0]], 0.0
	for i, c := range sc.keys[:sc.gather(row, weights, labels, 0)] {
		gain := sc.acc[c] - float64(gamma*g.strength[v]*totals[c])
		sc.acc[c] = 0
		if i == 0 || gain > most {
			to, most = c, gain
		}
	}
	return to
}
