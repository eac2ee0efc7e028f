package leiden

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// A solver partitions one graph at a time, the problem, and keeps its memory for the
// next one.
type solver struct {
	options      Options
	stop         *atomic.Bool
	team         *team
	levels       []*level
	base         int        // the level that iterations start from: 0, or 1 if leaves were merged or nodes reordered
	leavesMerged bool       // in the base level, leaves are merged into their stems
	skipRough    bool       // the rough sweeps of the next local moving phase are done already
	stars        stars      // communities that are not in the base level
	changed      []bool     // nodes of the base level where an incremental iteration begins; nil: all
	scratch      []*scratch // one per worker of the team
	keys         []uint32   // scratch memory, as long as the largest level has nodes
	mover        mover
	chunks       chunks
	partCounts   []uint32 // number of parts of each community, later the number of its first part
	rng          random
	gamma        float64 // resolution over twice the total edge weight of the problem
}

// A level is a graph, the given one or an aggregate of it, with a partition.
type level struct {
	g     *csr
	store csr  // memory of g, unless g is the given graph
	exact bool // weights are weights of the given graph, not sums rounded to float32

	weights []float32 // memory of store.weights

	comm    []uint32 // community of each node, below nodes()
	count   int      // number of communities
	tot     []float64
	size    []uint32
	active  []bool   // nodes still to visit
	touched []bool   // communities that changed, in an incremental iteration
	first   []uint32 // members of community c are members[first[c]:first[c+1]]
	members []uint32
	localID []uint64 // of each node: community in the high 32 bits, index among its members in the low 32

	coarse      []uint32 // of each node: the node of the next level that it is merged into, its part
	partFirst   []uint32 // like first, for parts
	partMembers []uint32 // like members, for parts
}

// scratch is the memory of one worker. acc is a sparse accumulator: it holds sums by
// label and is all zero between uses; keys lists the labels in use.
type scratch struct {
	acc  []float64
	keys []uint32

	// For large levels, see proposePrefetched.
	l1        *l1Sums
	labels    []uint32 // prefetched labels of neighbours
	undecided []uint32 // nodes that may move
	prefetch  prefetcher

	order []uint32

	// For refinement: a community as a graph, and by its nodes their part, and the
	// size and the total strength of each part.
	sub         subgraph
	part, sizes []uint32
	totals      []float64
}

// resize returns a slice of length n, reusing the memory of s if it is large enough.
// Reused elements keep their values; new ones are zero.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// solverPool holds solvers that are not in use, with their memory.
var solverPool sync.Pool

// maxPooledNodes is the number of nodes of the largest problem whose memory is kept.
const maxPooledNodes = 1 << 17

// newSolver prepares a solver for a team. The caller releases it.
func newSolver(o Options, stop *atomic.Bool, t *team) *solver {
	s, ok := solverPool.Get().(*solver)
	if !ok {
		s = new(solver)
	}
	s.options, s.stop, s.team = o, stop, t
	workers := 1
	if t != nil {
		workers = t.size
	}
	s.scratch = slices.Grow(s.scratch[:0], workers)[:workers]
	for i, sc := range s.scratch {
		if sc == nil {
			sc = new(scratch)
			s.scratch[i] = sc
		}
		sc.prefetch, sc.sub.prefetch = prefetcher{minNodes: o.prefetchNodes}, prefetcher{minNodes: o.prefetchNodes}
	}
	return s
}

// release returns the solver to the pool, without references to the problem. A
// solver that panicked must not be released.
func (s *solver) release() {
	if cap(s.keys) > maxPooledNodes {
		return
	}
	s.options, s.stop, s.team, s.mover, s.changed = Options{}, nil, nil, mover{}, nil
	for _, l := range s.levels {
		l.g = nil
	}
	for _, sc := range s.scratch {
		sc.prefetch.g, sc.sub.prefetch.g = nil, nil
	}
	solverPool.Put(s)
}

// level returns the level at a depth, allocating it on first use.
func (s *solver) level(depth int) *level {
	for len(s.levels) <= depth {
		s.levels = append(s.levels, new(level))
	}
	return s.levels[depth]
}

// reserve sizes the memory of a level for its graph.
func (l *level) reserve() {
	n := l.g.nodes()
	l.comm, l.tot, l.size = resize(l.comm, n), resize(l.tot, n), resize(l.size, n)
	l.active, l.coarse = resize(l.active, n), resize(l.coarse, n)
	l.members, l.first = resize(l.members, n), resize(l.first, n+1)
	l.partMembers, l.partFirst = resize(l.partMembers, n), resize(l.partFirst, n+1)
}

// reserve sizes the scratch memory for a problem of n nodes.
func (s *solver) reserve(n int) {
	s.keys = resize(s.keys, n)
	for _, sc := range s.scratch {
		sc.acc, sc.keys = resize(sc.acc, n), resize(sc.keys, n+1)
	}
}

// minParallelArcs is the number of arcs from which running a phase in parallel pays
// off.
const minParallelArcs = 50_000

// teamFor returns the team for work on that many arcs, nil if one worker is faster.
func (s *solver) teamFor(arcs int) *team {
	if arcs < min(minParallelArcs, s.options.batchArcs) {
		return nil
	}
	return s.team
}

// A plan lists the iterations for one problem.
type plan struct {
	iterations  []iteration
	starts      int  // how often to run them from the start; the best outcome is kept
	untilStable bool // repeat the last one until nothing changes
}

// partition fills labels with the community of each node of g and returns the number
// of communities. g is a problem by itself: gains refer to its own total weight.
// from is where to start.
func (s *solver) partition(g *csr, labels []uint32, resolution float64, p plan, from start) int {
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
	// The seed depends only on the problem, so that a community that did not change
	// between runs splits as it did before.
	s.rng = derive(s.options.Seed, uint64(n))
	s.reserve(n)
	if from.labels != nil {
		initLabels(labels, from.labels)
	}
	count := s.mergeLeaves(top, labels, resolution)
	if from.labels == nil {
		count = s.reorder(labels, count)
	}
	s.changed = from.changed
	if s.changed != nil && s.leavesMerged {
		s.changed = changedStems(s.changed, top.coarse, s.baseGraph().nodes())
	}
	count = s.bestStart(labels[:s.baseGraph().nodes()], count, p, resolution)
	if s.base > 0 {
		count = s.unmergeLeaves(top, labels, count)
	}
	return s.mergeSingletons(g, labels, count, resolution)
}

// baseGraph returns the graph that iterations start from.
func (s *solver) baseGraph() *csr { return s.levels[s.base].g }

// bestStart runs the iterations of the plan as often as it says and keeps the labels
// of the highest modularity, the first of equals. It returns the number of communities.
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

// maxRepeats is far above what any graph needs, since every change gains.
const maxRepeats = 1000

// runIterations runs the iterations of the plan once, starting from labels, and
// returns the number of communities.
func (s *solver) runIterations(labels []uint32, count int, p plan) int {
	repeats := maxRepeats
	for i := 0; i < len(p.iterations) && !s.stop.Load(); i++ {
		var changed bool
		count, changed = s.iterate(labels, count, p.iterations[i])
		if changed && i == len(p.iterations)-1 && p.untilStable && repeats > 0 {
			i--
			repeats--
		}
	}
	return count
}

// initLabels labels each node with the smallest node of its previous community, and a
// node that had none with itself.
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

// compact renumbers labels, all smaller than below, from 0 in order of first
// appearance and returns their number.
func (s *solver) compact(labels []uint32, below int) int {
	rename := s.keys[:below]
	for i := range rename {
		rename[i] = none
	}
	count := uint32(0)
	for i, c := range labels { // branch-free: which labels are new is unpredictable
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

// prefixSum replaces each count by the sum of those before it and returns the sum of
// all.
func prefixSum[T uint32 | uint64](counts []T) (sum T) {
	for i, n := range counts {
		counts[i], sum = sum, sum+n
	}
	return sum
}

// sortByLabel sorts the nodes by label, with a counting sort: those with label c
// become members[first[c]:first[c+1]], ascending.
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
