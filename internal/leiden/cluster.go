package leiden

import (
	"context"
	"slices"
	"sync/atomic"
)

// A Partition puts every node into one community.
type Partition struct {
	Labels      []uint32 // per node, 0 to Communities-1: larger communities first, then smallest member
	Communities int
	Modularity  float64
	Gain        float64 // by how much the best move of a single node would still raise Modularity
}

// Cluster partitions the nodes of g into connected communities of high
// modularity. Nodes without an edge are communities of their own. It returns
// the context's error within a fraction of a second when that ends first.
func Cluster(ctx context.Context, g *Graph, o Options) (p Partition, err error) {
	defer recoverError(&err)
	o, err = o.withDefaults(g)
	if err != nil {
		return Partition{}, err
	}
	stop, release := stopFlag(ctx)
	defer release()
	t := newTeam(o.workersFor(g, minParallelArcs))
	defer t.close()
	s := newSolver(o, stop, t)
	labels := make([]uint32, g.Nodes())
	count := s.partition(&g.csr, labels, o.Resolution, o.plan(g.arcs), o.Previous)
	if stop.Load() {
		return Partition{}, context.Cause(ctx)
	}
	p = Partition{Labels: labels, Communities: count}
	s.scratch[0].canonicalize(labels, count)
	p.Modularity, p.Gain = s.modularityAndGain(labels, count, o.Resolution)
	s.release()
	if stop.Load() {
		return Partition{}, context.Cause(ctx)
	}
	return p, nil
}

// stopFlag turns the end of a context into a flag that inner loops can afford to read.
func stopFlag(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	if ctx.Err() != nil {
		stop.Store(true)
	}
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}

// canonicalize renames labels: larger communities first, then smallest member.
func (sc *scratch) canonicalize(labels []uint32, count int) {
	if count <= 1 {
		return
	}
	sc.sizes, sc.order = resize(sc.sizes, count), resize(sc.order, count)
	sizes, byMember := sc.sizes, sc.order[:0]
	clear(sizes)
	for _, c := range labels {
		if sizes[c] == 0 {
			byMember = append(byMember, c)
		}
		sizes[c]++
	}
	largest := slices.Max(sizes)
	sc.part = resize(sc.part, int(largest)+1)
	smaller := sc.part // by how much: the next rank of such communities
	clear(smaller)
	for _, size := range sizes {
		smaller[largest-size]++
	}
	prefixSum(smaller)
	ranks := sizes
	for _, c := range byMember {
		next := &smaller[largest-sizes[c]]
		ranks[c] = *next
		*next++
	}
	for i, c := range labels {
		labels[i] = ranks[c]
	}
}
