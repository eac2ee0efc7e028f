package leiden

import "sync/atomic"

// Modularity is the modularity of the partition that labels makes, at that
// resolution. Labels may be any numbers. It is 0 for a graph without edges.
func Modularity(g *Graph, labels []uint32, resolution float64) float64 {
	if g.total == 0 {
		return 0
	}
	dense := make(map[uint32]uint32)
	compact := make([]uint32, len(labels))
	for v, c := range labels {
		d, ok := dense[c]
		if !ok {
			d = uint32(len(dense))
			dense[c] = d
		}
		compact[v] = d
	}
	return quality(&g.csr, compact, len(dense), resolution, new(atomic.Bool))
}

// quality is the modularity of a partition with labels below count. It means
// nothing when it is stopped.
func quality(g *csr, labels []uint32, count int, resolution float64, stop *atomic.Bool) float64 {
	if g.total == 0 {
		return 0
	}
	inside, tot := make([]float64, count), make([]float64, count)
	for v, c := range labels {
		if v%1024 == 0 && stop.Load() {
			return 0
		}
		tot[c] += g.strength[v]
		sum := 0.0
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
		if g.loops != nil {
			sum += 2 * g.loops[v]
		}
		inside[c] += sum
	}
	return modularity(inside, tot, g.total, resolution)
}

func modularity(inside, tot []float64, total, resolution float64) float64 {
	q := 0.0
	for c := range tot {
		share := tot[c] / total
		q += inside[c]/total - resolution*share*share
	}
	return q
}

// assess gives the modularity of a partition and the most that the move of one
// node to a neighbouring or an empty community would add to it, 0 if none would.
func (s *solver) assess(g *csr, labels []uint32, count int, resolution float64) (q, gain float64) {
	if g.total == 0 {
		return 0, 0
	}
	inside, tot, size := make([]float64, count), make([]float64, count), make([]uint32, count)
	for v, c := range labels {
		tot[c] += g.strength[v]
		size[c]++
	}
	gamma := resolution / g.total
	sc := s.scratch[0]
	for v, own := range labels {
		if v%1024 == 0 && s.stop.Load() {
			return 0, 0
		}
		row, weights := g.row(uint32(v))
		n := sc.gather(row, weights, labels, 0)
		k := g.strength[v]
		inside[own] += sc.acc[own]
		if g.loops != nil {
			inside[own] += 2 * g.loops[v]
		}
		stay := sc.acc[own] - gamma*k*(tot[own]-k)
		best := stay
		if size[own] > 1 {
			best = max(best, 0)
		}
		for _, c := range sc.keys[:n] {
			if c != own {
				best = max(best, sc.acc[c]-gamma*k*tot[c])
			}
			sc.acc[c] = 0
		}
		gain = max(gain, best-stay)
	}
	return modularity(inside, tot, g.total, resolution), 2 * gain / g.total
}
