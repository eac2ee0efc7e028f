package leiden

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// A solver runs one problem at a time and keeps its memory for the next one.
type solver struct {
	options Options
	stop    *atomic.Bool
	team    *team
	levels  []*level
	base    int        // the level to work on: 1 where it is not the given graph but made of it
	leavesMerged  bool       // leaves are merged into their stems there
	skipRough bool       // the next moves come after a draft of communities
	stars   stars      // communities that are left out there
	scratch []*scratch // one per member of the team
	keys    []uint32   // as long as the largest level has nodes
	mover   mover
	chunks  chunks
	partCounts   []uint32 // number of parts of each community, then their first
	rng     random
	gamma   float64 // resolution over twice the weight of all edges of the problem
}

// A level is a graph, the given one or an aggregate of it, with a partition.
type level struct {
	g     *csr
	store csr // memory of g where g is an aggregate
	exact bool

	weights []float32 // memory of those of store

	comm    []uint32 // community of a node, below nodes()
	count   int      // communities
	tot     []float64
	size    []uint32
	active   []bool   // nodes to look at
	touched []bool   // communities that changed, in a careful round
	first   []uint32 // members of community c are members[first[c]:first[c+1]]
	members []uint32
	localID   []uint64 // community of a node, and its position among the members

	coarse       []uint32 // the node of the next level that a node becomes a part of
	partFirst []uint32 // as first, of those
	partMembers  []uint32
}

// scratch is what one member of a team works with. Sums by label are gathered
// in acc, which is all zero between uses; keys lists the labels.
type scratch struct {
	acc  []float64
	keys []uint32

	l1 *l1Sums // where labels are far apart: sums,
	labels []uint32   // labels that are read already,
	undecided  []uint32   // and nodes that may want to move
	prefetch  prefetcher

	order []uint32

	sub         subgraph // of a community, and by its nodes:
	part, sizes []uint32
	totals      []float64
}

// resize gives a slice of that length; its content is what it happens to be, or
// zero where it was never used.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// solverPool are those that are done, with their memory.
var solverPool sync.Pool

// maxPooledNodes is the size of the largest problem whose memory is kept.
const maxPooledNodes = 1 << 17

// newSolver readies a solver for a team; release ends its use.
func newSolver(o Options, stop *atomic.Bool, t *team) *solver {
	s, ok := solverPool.Get().(*solver)
	if !ok {
		s = new(solver)
	}
	s.options, s.stop, s.team = o, stop, t
	members := 1
	if t != nil {
		members = t.size
	}
	s.scratch = slices.Grow(s.scratch[:0], members)[:members]
	for i, sc := range s.scratch {
		if sc == nil {
			sc = new(scratch)
			s.scratch[i] = sc
		}
		sc.prefetch, sc.sub.prefetch = prefetcher{minNodes: o.prefetchNodes}, prefetcher{minNodes: o.prefetchNodes}
	}
	return s
}

// release keeps the memory for another solver, and nothing of the problem. What
// panicked is not released.
func (s *solver) release() {
	if cap(s.keys) > maxPooledNodes {
		return
	}
	s.options, s.stop, s.team, s.mover = Options{}, nil, nil, mover{}
	for _, l := range s.levels {
		l.g = nil
	}
	for _, sc := range s.scratch {
		sc.prefetch.g, sc.sub.prefetch.g = nil, nil
	}
	solverPool.Put(s)
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
	l.active, l.coarse = resize(l.active, n), resize(l.coarse, n)
	l.members, l.first = resize(l.members, n), resize(l.first, n+1)
	l.partMembers, l.partFirst = resize(l.partMembers, n), resize(l.partFirst, n+1)
}

func (s *solver) reserve(n int) {
	s.keys = resize(s.keys, n)
	for _, sc := range s.scratch {
		sc.acc, sc.keys = resize(sc.acc, n), resize(sc.keys, n+1)
	}
}

// minParallelArcs is the number of arcs from which a phase pays for its start.
const minParallelArcs = 50_000

// teamFor is the team for work over that many arcs.
func (s *solver) teamFor(arcs int) *team {
	if arcs < min(minParallelArcs, s.options.batchArcs) {
		return nil
	}
	return s.team
}

// A plan says how a problem is worked on.
type plan struct {
	iterations []iteration
	starts int // how often to begin anew, to keep the best
	untilStable bool
}

// partition fills in the labels of the communities of g and counts these. g is
// a problem of its own, with its own total weight.
func (s *solver) partition(g *csr, labels []uint32, resolution float64, p plan, previous []uint32) int {
	n := g.nodes()
	for i := range labels {
		labels[i] = uint32(i)
	}
	top := s.level(0)
	top.g, top.exact = g, true
	s.base, s.leavesMerged, s.skipRough, s.stars = 0, false, false, stars{}
	if g.total == 0 {
		return n
	}
	s.gamma = resolution / g.total
	// The seed of a problem depends on the problem alone, so that a community
	// that did not change splits as it did before.
	s.rng = derive(s.options.Seed, uint64(n))
	s.reserve(n)
	if previous != nil {
		initLabels(labels, previous)
	}
	count := s.mergeLeaves(top, labels, resolution)
	if previous == nil {
		count = s.reorder(labels, count)
	}
	count = s.bestStart(labels[:s.baseGraph().nodes()], count, p, resolution)
	if s.base > 0 {
		count = s.unmergeLeaves(top, labels, count)
	}
	return s.mergeSingletons(g, labels, count, resolution)
}

// baseGraph is the graph to work on.
func (s *solver) baseGraph() *csr { return s.levels[s.base].g }

// bestStart improves the labels as often as planned and keeps the best outcome,
// the first of equals.
func (s *solver) bestStart(labels []uint32, count int, p plan, resolution float64) int {
	if p.starts <= 1 {
		return s.runIterations(labels, count, p)
	}
	g := s.baseGraph()
	first := append([]uint32(nil), labels...)
	attempt := make([]uint32, len(labels))
	most, found := math.Inf(-1), count
	for range p.starts {
		copy(attempt, first)
		c := s.runIterations(attempt, count, p)
		if q := quality(g, attempt, c, resolution, s.teamFor(g.arcs), s.stop); q > most+1e-12 {
			most, found = q, c
			copy(labels, attempt)
		}
	}
	return found
}

// maxRepeats is far above what any graph takes: every change gains.
const maxRepeats = 1000

// runIterations runs the rounds on the graph of the base level.
func (s *solver) runIterations(labels []uint32, count int, p plan) int {
	again := maxRepeats
	for i := 0; i < len(p.iterations) && !s.stop.Load(); i++ {
		var changed bool
		count, changed = s.iterate(labels, count, p.iterations[i])
		if changed && i == len(p.iterations)-1 && p.untilStable && again > 0 {
			i--
			again--
		}
	}
	return count
}

// initLabels gives each node the smallest node of its previous community as label,
// and a new node itself.
func initLabels(labels, previous []uint32) {
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

// compact renumbers labels, all smaller than below, by first appearance and
// counts them.
func (s *solver) compact(labels []uint32, below int) int {
	rename := s.keys[:below]
	for i := range rename {
		rename[i] = none
	}
	count := uint32(0)
	for i, c := range labels { // without a branch: what is new cannot be foreseen
		to, next := rename[c], count+1
		if to == none {
			to = count
		}
		if to != count {
			next = count
		}
		rename[c], labels[i], count = to, to, next
	}
	return int(count)
}

// prefixSum makes each count the sum of those before it, and returns the sum of all.
func prefixSum[T uint32 | uint64](counts []T) (sum T) {
	for i, n := range counts {
		counts[i], sum = sum, sum+n
	}
	return sum
}

// sortByLabel is a counting sort of the nodes by label.
func sortByLabel(labels []uint32, count int, first, members []uint32) {
	first = first[:count+1]
	clear(first)
	for _, c := range labels {
		first[c]++
	}
	prefixSum(first)
	for i, c := range labels {
		members[first[c]] = uint32(i)
		first[c]++
	}
	copy(first[1:], first[:count])
	first[0] = 0
}
