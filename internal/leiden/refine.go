package leiden

import "cmp"

// refine splits each community of a level into well connected parts, in coarse, and
// returns the number of parts. Nodes start as singletons. In random order, those that
// are still singletons and well connected to the rest of their community join the well
// connected part with the highest gain. A part is connected because every node that
// joins it has an edge to it. The parts of one community are numbered consecutively.
// An incremental refinement keeps untouched communities in one part.
//
// Each community is refined with its own subgraph and random generator, so that the
// result does not depend on the order in which communities are refined.
func (s *solver) refine(l *level, incremental bool) int {
	l.localID = resize(l.localID, l.g.nodes())
	assignLocalIDs(l)
	seed := s.rng.next()
	t := s.teamFor(l.g.arcs)
	s.chunks.split(l.count, l.first)
	s.partCounts = resize(s.partCounts, l.count+1)
	parts := s.partCounts
	parts[l.count] = 0
	t.forEach(s.chunks.count(), func(worker, item int) {
		sc := s.scratch[worker]
		for c := s.chunks.bounds[item]; c < s.chunks.bounds[item+1]; c++ {
			if s.stop.Load() {
				return
			}
			if incremental && !l.touched[c] {
				for _, v := range l.members[l.first[c]:l.first[c+1]] {
					l.coarse[v] = 0
				}
				parts[c] = 1
				continue
			}
			parts[c] = sc.refine(l, c, s.gamma, derive(seed, uint64(c)))
		}
	})
	if s.stop.Load() {
		return 0
	}
	sum := prefixSum(parts)
	for v, c := range l.comm {
		l.coarse[v] += parts[c]
	}
	sortByLabel(l.coarse, int(sum), l.partFirst, l.partMembers)
	return int(sum)
}

// assignLocalIDs fills in the local ids of a level.
func assignLocalIDs(l *level) {
	for c := range l.count {
		high := uint64(c) << 32
		for i, v := range l.members[l.first[c]:l.first[c+1]] {
			l.localID[v] = high | uint64(i)
		}
	}
}

// refine splits community c. It sets coarse to the numbers of the parts, counted from 0
// within the community, and returns their count.
func (sc *scratch) refine(l *level, c int, gamma float64, rng random) uint32 {
	members := l.members[l.first[c]:l.first[c+1]]
	n := len(members)
	if n == 1 {
		l.coarse[members[0]] = 0
		return 1
	}
	sc.sub.induce(l.g, members, l.localID)
	sc.part, sc.sizes, sc.order = resize(sc.part, n), resize(sc.sizes, n), resize(sc.order, n)
	sc.totals = resize(sc.totals, n)
	whole := 0.0 // total strength of the community
	for i, v := range members {
		k := l.g.strength[v]
		sc.totals[i] = k
		whole += k
		sc.part[i], sc.sizes[i], sc.order[i] = uint32(i), 1, uint32(i)
	}
	rng.shuffle(sc.order)
	ext := sc.sub.strength // weight of the edges from each part to the rest of the community
	epsilon := l.gainEpsilon()
	for _, v := range sc.order {
		k := sc.totals[v]
		if sc.part[v] != v || sc.sizes[v] != 1 || ext[v] < gamma*k*(whole-k) {
			continue
		}
		row, weights := sc.sub.row(v)
		keys := sc.gather(row, weights, sc.part, 0)
		sc.join(v, k, whole, gamma, epsilon, keys)
	}
	return sc.numberParts(l.coarse, members)
}

// join merges the singleton v, of strength k, into the best well connected part that
// it has edges to, if that gains. The labels of these parts are sc.keys[:keys].
func (sc *scratch) join(v uint32, k, whole, gamma, epsilon float64, keys int) {
	ext := sc.sub.strength
	best, to, weight := epsilon*k, v, 0.0
	for _, p := range sc.keys[:keys] {
		w, tot := sc.acc[p], sc.totals[p]
		sc.acc[p] = 0
		gain := w - float64(gamma*k*tot)
		if gain > best && ext[p] >= gamma*tot*(whole-tot) {
			best, to, weight = gain, p, w
		}
	}
	if to == v {
		return
	}
	sc.part[v] = to
	sc.totals[to] += k
	ext[to] += ext[v] - 2*weight
	sc.sizes[to]++
	sc.sizes[v] = 0
}

// numberParts numbers the parts in the order of their first members, sets coarse of
// each member, and returns the number of parts.
func (sc *scratch) numberParts(coarse, members []uint32) uint32 {
	count := uint32(0)
	rename := sc.sizes // sizes are no longer needed; 0 means no number yet
	clear(rename)
	for i, v := range members {
		p := sc.part[i]
		if rename[p] == 0 {
			count++
			rename[p] = count
		}
		coarse[v] = rename[p] - 1
	}
	return cmp.Or(count, 1)
}
