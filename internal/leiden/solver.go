package leiden

import "sync/atomic"

// A solver runs one problem at a time and keeps its memory for the next one.
type solver struct {
	options Options
	stop    *atomic.Bool
	levels  []*level
	scratch scratch
	rng     random

	gamma float64 // resolution over twice the weight of all edges of the problem
}

// A level is a graph, the given one or an aggregate of it, with a partition.
type level struct {
	g     *csr
	store csr // memory of g where g is an aggregate

	comm     []uint32  // community of a node, below nodes()
	tot      []float64 // strength of a community
	size     []uint32  // nodes in a community
	flags    []bool    // nodes to look at
	ref      []uint32  // the node of the next level that a node becomes a part of
	count    int       // communities
	first    []uint32  // members of community c are members[first[c]:first[c+1]]
	members  []uint32
	refFirst []uint32 // as first, of the nodes of the next level
	refList  []uint32
}

// scratch sums by community: acc is all zero between uses, keys lists what is not.
type scratch struct {
	acc  []float64
	keys []uint32
}

func (s *scratch) reserve(nodes int) {
	s.acc = resize(s.acc, nodes)
	s.keys = resize(s.keys, nodes+1)
}

// resize gives a slice of that length whose content is what it was, or zero
// where it was never used.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func newSolver(o Options, stop *atomic.Bool) *solver {
	return &solver{options: o, stop: stop}
}

// level gives the memory of one level, made when it is first asked for.
func (s *solver) level(depth int) *level {
	for len(s.levels) <= depth {
		s.levels = append(s.levels, new(level))
	}
	return s.levels[depth]
}

// reserve readies the memory of a level for its graph.
func (l *level) reserve() {
	n := l.g.nodes()
	l.comm, l.tot, l.size = resize(l.comm, n), resize(l.tot, n), resize(l.size, n)
	l.flags, l.ref = resize(l.flags, n), resize(l.ref, n)
	l.members, l.first = resize(l.members, n), resize(l.first, n+1)
	l.refList, l.refFirst = resize(l.refList, n), resize(l.refFirst, n+1)
}

// A round says how one iteration runs.
type round struct {
	rough     bool    // leave out refinement: cheaper, a good start for a full iteration
	tolerance float64 // a sweep that gains less ends the moves of a level
}

// rounds lists the iterations of an effort; a stable one repeats its last.
func (o Options) rounds() []round {
	const tolerance = 0.01
	full := round{tolerance: tolerance}
	rough := round{tolerance: tolerance, rough: true}
	switch {
	case o.Effort == Stable && o.Previous != nil:
		return []round{{}}
	case o.Effort == Stable:
		return []round{rough, full, full, {}}
	case o.Effort == Fast || o.Previous != nil:
		return []round{full}
	case o.Effort == Balanced:
		return []round{rough, full}
	}
	return []round{rough, full, full, full}
}

// partition gives the labels and number of the communities of g. The labels are
// not kept by the solver.
func (s *solver) partition(g *csr, resolution float64, previous []uint32, seed uint64) ([]uint32, int) {
	n := g.nodes()
	labels := make([]uint32, n)
	for i := range labels {
		labels[i] = uint32(i)
	}
	count := n
	if g.total == 0 {
		return labels, n
	}
	s.gamma = resolution / g.total
	s.rng = derive(seed, uint64(n))
	s.scratch.reserve(n)
	if previous != nil {
		adopt(labels, previous)
		count = s.compact(labels)
	}
	rounds := s.options.rounds()
	for i := 0; i < len(rounds); i++ {
		var changed bool
		count, changed = s.iterate(g, labels, count, rounds[i])
		if s.stop.Load() {
			break
		}
		if changed && i == len(rounds)-1 && s.options.Effort == Stable {
			i--
		}
	}
	return labels, count
}

// adopt gives each node the smallest node of its previous community as label,
// and a new node itself.
func adopt(labels, previous []uint32) {
	first := make(map[uint32]uint32)
	for i, p := range previous {
		if p == none {
			continue
		}
		f, ok := first[p]
		if !ok {
			f = uint32(i)
			first[p] = f
		}
		labels[i] = f
	}
}

// compact renumbers labels below len(labels) by first appearance and counts them.
func (s *solver) compact(labels []uint32) int {
	rename := s.scratch.keys[:len(labels)]
	for i := range rename {
		rename[i] = none
	}
	count := uint32(0)
	for i, c := range labels {
		if rename[c] == none {
			rename[c] = count
			count++
		}
		labels[i] = rename[c]
	}
	return int(count)
}

// iterate runs one iteration of Leiden from the communities in labels, which it
// replaces. What it returns are single nodes of the last level, each of them
// connected unless the round is rough. It reports whether anything changed.
func (s *solver) iterate(g *csr, labels []uint32, count int, r round) (int, bool) {
	top := s.level(0)
	top.g = g
	top.reserve()
	copy(top.comm, labels)
	top.count = count
	changed := false
	tolerance := r.tolerance
	depth := 0
	for {
		l := s.level(depth)
		if s.move(l, tolerance) > 0 {
			changed = true
		}
		l.count = s.compact(l.comm)
		n := l.g.nodes()
		if s.stop.Load() || l.count == n {
			break
		}
		next := s.level(depth + 1)
		parts := s.contract(l, r.rough)
		if s.stop.Load() {
			break
		}
		if parts == n {
			changed = true
			break
		}
		s.aggregate(l, next, parts)
		depth++
		tolerance /= 10
	}
	if s.stop.Load() {
		return count, changed
	}
	for d := depth - 2; d >= 0; d-- {
		up := s.levels[d+1].ref
		for i, r := range s.levels[d].ref {
			s.levels[d].ref[i] = up[r]
		}
	}
	if depth > 0 {
		copy(labels, top.ref)
	} else {
		for i := range labels {
			labels[i] = uint32(i)
		}
	}
	return s.levels[depth].g.nodes(), changed
}

// contract decides which nodes of a level become one node of the next, in ref,
// and counts those: whole communities in a rough round, else refined ones. Where
// refinement merges nothing it takes the connected parts of communities, so
// that a level is always smaller than the one before unless all nodes stay alone.
func (s *solver) contract(l *level, rough bool) int {
	l.group()
	if rough {
		copy(l.ref, l.comm)
		return l.count
	}
	parts := s.refine(l)
	if parts == l.g.nodes() {
		parts = s.components(l)
	}
	return parts
}

// group lists the members of each community, ascending.
func (l *level) group() {
	sortByLabel(l.comm, l.count, l.first, l.members)
}

// sortByLabel is a counting sort of the nodes by label.
func sortByLabel(labels []uint32, count int, first, members []uint32) {
	first = first[:count+1]
	clear(first)
	for _, c := range labels {
		first[c]++
	}
	sum := uint32(0)
	for c := range first {
		first[c], sum = sum, sum+first[c]
	}
	for i, c := range labels {
		members[first[c]] = uint32(i)
		first[c]++
	}
	copy(first[1:], first[:count])
	first[0] = 0
}
