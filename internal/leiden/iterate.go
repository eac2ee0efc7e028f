package leiden

// An iteration configures one iteration of the algorithm.
type iteration struct {
	rough       bool    // skip refinement: cheaper, and a good start for a full iteration
	incremental bool    // leave communities as they are in which nothing moves
	tolerance   float64 // a sweep that gains less modularity ends the local moving of a level
}

// Default and Stable start smallArcs/arcs times on a graph, at least once and at most
// maxStarts times: small graphs have few good partitions, and chance decides which one
// is found.
const (
	smallArcs = 30_000
	maxStarts = 10
)

// plan returns the iterations of the effort for a graph with that many arcs.
func (o Options) plan(arcs int) plan {
	const tolerance = 0.01
	full := iteration{tolerance: tolerance}
	rough := iteration{tolerance: tolerance, rough: true}
	// polish leaves little to gain, so that a later run that starts from its result
	// has no reason to touch what did not change.
	polish := iteration{tolerance: tolerance / 100, incremental: true}
	starts := 1
	if o.multiStart && o.Start == nil {
		starts = min(max(smallArcs/max(arcs, 1), 1), maxStarts)
	}
	switch {
	case o.Effort == Stable && o.Start != nil:
		return plan{iterations: []iteration{{}}, untilStable: true}
	case o.Effort == Stable:
		return plan{iterations: []iteration{rough, full, full, {}}, starts: starts, untilStable: true}
	case o.Start != nil:
		return plan{iterations: []iteration{polish}}
	case o.Effort == Fast:
		return plan{iterations: []iteration{full}}
	case o.Effort == Balanced:
		return plan{iterations: []iteration{rough, full}}
	}
	return plan{iterations: []iteration{rough, full, full, polish}, starts: starts}
}

// iterate runs one iteration of Leiden from the communities in labels, which it
// replaces by the nodes of the last level. Each of these is connected unless the
// iteration is rough. It returns the number of communities and whether any changed.
func (s *solver) iterate(labels []uint32, count int, r iteration) (int, bool) {
	base := s.levels[s.base]
	copy(base.comm, labels)
	base.count = count
	changed := false
	if r.incremental {
		changed = s.splitDisconnected(base)
	}
	depth, tolerance := s.base, r.tolerance
	for {
		l := s.level(depth)
		if s.move(l, tolerance, r.incremental) > 0 {
			changed = true
		}
		n := l.g.nodes()
		if s.stop.Load() || r.incremental && !changed {
			break
		}
		s.renumber(l, r.incremental)
		if l.count == n {
			break
		}
		parts := s.chooseParts(l, r)
		if s.stop.Load() {
			break
		}
		if parts == n {
			changed = true
			break
		}
		next := s.level(depth + 1)
		s.aggregate(l, next, parts)
		if r.incremental {
			next.touched = make([]bool, parts)
			copy(next.touched, l.touched)
		}
		depth++
		tolerance /= 10
	}
	if s.stop.Load() {
		return count, changed
	}
	if r.incremental && !changed {
		copy(labels, base.comm)
		return s.compact(labels, len(labels)), false
	}
	s.flatten(depth, labels)
	return s.levels[depth].g.nodes(), changed
}

// flatten labels each node of the base level with the node of the level at depth that
// it was merged into.
func (s *solver) flatten(depth int, labels []uint32) {
	if depth == s.base {
		for i := range labels {
			labels[i] = uint32(i)
		}
		return
	}
	for d := depth - 2; d >= s.base; d-- {
		next := s.levels[d+1].coarse
		for i, r := range s.levels[d].coarse {
			s.levels[d].coarse[i] = next[r]
		}
	}
	copy(labels, s.levels[s.base].coarse)
}

// renumber numbers the communities of a level from 0, and in an incremental iteration
// keeps track of which of them were touched.
func (s *solver) renumber(l *level, careful bool) {
	if !careful {
		l.count = s.compact(l.comm, len(l.comm))
		return
	}
	old := append([]uint32(nil), l.comm...)
	touched := l.touched
	l.count = s.compact(l.comm, len(l.comm))
	l.touched = make([]bool, l.count)
	for i, c := range l.comm {
		l.touched[c] = touched[old[i]]
	}
}

// chooseParts decides which nodes of a level are merged into one node of the next, in
// coarse, and returns the number of those: communities in a rough iteration, else the
// parts that refinement finds. If refinement merges nothing, they are the connected
// components of communities, so that each level is smaller than the one before unless
// all nodes stay single.
func (s *solver) chooseParts(l *level, r iteration) int {
	sortByLabel(l.comm, l.count, l.first, l.members)
	if r.rough {
		copy(l.coarse, l.comm)
		copy(l.partFirst, l.first[:l.count+1])
		copy(l.partMembers, l.members)
		return l.count
	}
	parts := s.refine(l, r.incremental)
	if parts == l.g.nodes() {
		parts = s.connectedParts(l)
	}
	return parts
}

// splitDisconnected splits communities into their connected components and marks the
// components of those that it split as touched. It reports whether it split any.
func (s *solver) splitDisconnected(l *level) bool {
	n := l.g.nodes()
	l.count = s.compact(l.comm, len(l.comm))
	sortByLabel(l.comm, l.count, l.first, l.members)
	before := l.count
	parts := s.connectedParts(l)
	l.touched = make([]bool, n)
	pieces := make([]uint32, before)
	for p := range parts {
		pieces[l.comm[l.partMembers[l.partFirst[p]]]]++
	}
	for p := range parts {
		l.touched[p] = pieces[l.comm[l.partMembers[l.partFirst[p]]]] > 1
	}
	copy(l.comm, l.coarse)
	l.count = parts
	return parts > before
}

// connectedParts makes the connected components of communities the parts of a level
// and returns their number.
func (s *solver) connectedParts(l *level) int {
	for i := range l.coarse {
		l.coarse[i] = none
	}
	stack := s.scratch[0].keys[:0]
	count := uint32(0)
	for _, start := range l.members {
		if l.coarse[start] != none {
			continue
		}
		c := l.comm[start]
		l.coarse[start] = count
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, u := range l.g.adj[l.g.begin[v]:l.g.end[v]] {
				if l.comm[u] == c && l.coarse[u] == none {
					l.coarse[u] = count
					stack = append(stack, u)
				}
			}
		}
		count++
	}
	sortByLabel(l.coarse, int(count), l.partFirst, l.partMembers)
	return int(count)
}
