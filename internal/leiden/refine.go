package leiden

import "cmp"

// refine splits each community of a level into well connected parts, in ref,
// and counts the parts. Nodes start alone; in random order those that are still
// alone, and well connected to the rest of the community, join the well
// connected part with the highest gain. A part is connected because every node
// that joins it has an edge into it. Parts are numbered so that those of one
// community are consecutive. A careful refinement leaves communities that were
// not touched in one part.
//
// Communities are independent of each other and of the order in which they are
// refined: each has a graph and a generator of its own.
func (s *solver) refine(l *level, careful bool) int {
	l.localID = resize(l.localID, l.g.nodes())
	assignLocalIDs(l)
	seed := s.rng.next()
	t := s.teamFor(l.g.arcs)
	s.chunks.split(l.count, l.first)
	s.partCounts = resize(s.partCounts, l.count+1)
	parts := s.partCounts
	parts[l.count] = 0
	t.forEach(s.chunks.count(), func(member, item int) {
		sc := s.scratch[member]
		for c := s.chunks.bounds[item]; c < s.chunks.bounds[item+1]; c++ {
			if s.stop.Load() {
				return
			}
			if careful && !l.touched[c] {
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

// assignLocalIDs notes where each node stands in its community.
func assignLocalIDs(l *level) {
	for c := range l.count {
		high := uint64(c) << 32
		for i, v := range l.members[l.first[c]:l.first[c+1]] {
			l.localID[v] = high | uint64(i)
		}
	}
}

// refine splits one community. ref gets the numbers of parts, from 0 within the
// community, and their count is returned.
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
	whole := 0.0
	for i, v := range members {
		k := l.g.strength[v]
		sc.totals[i] = k
		whole += k
		sc.part[i], sc.sizes[i], sc.order[i] = uint32(i), 1, uint32(i)
	}
	rng.shuffle(sc.order)
	ext := sc.sub.strength // weight from a part to the rest of the community
	least := l.gainEpsilon()
	for _, v := range sc.order {
		k := sc.totals[v]
		if sc.part[v] != v || sc.sizes[v] != 1 || ext[v] < gamma*k*(whole-k) {
			continue
		}
		row, weights := sc.sub.row(v)
		keys := sc.gather(row, weights, sc.part, 0)
		sc.join(v, k, whole, gamma, least, keys)
	}
	return sc.numberParts(l.coarse, members)
}

// join puts v into the best of the parts it has edges to, if there is a good one.
func (sc *scratch) join(v uint32, k, whole, gamma, least float64, keys int) {
	ext := sc.sub.strength
	best, to, weight := least*k, v, 0.0
	for _, p := range sc.keys[:keys] {
		w, tot := sc.acc[p], sc.totals[p]
		sc.acc[p] = 0
		gain := w - gamma*k*tot
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

// numberParts gives the parts numbers in the order of their first members.
func (sc *scratch) numberParts(ref, members []uint32) uint32 {
	count := uint32(0)
	rename := sc.sizes // no longer of use: 0 stands for no number
	clear(rename)
	for i, v := range members {
		p := sc.part[i]
		if rename[p] == 0 {
			count++
			rename[p] = count
		}
		ref[v] = rename[p] - 1
	}
	return cmp.Or(count, 1)
}
