package leiden

import (
	"context"
	"slices"
	"sync/atomic"
)

// A Partition assigns every node to one community.
type Partition struct {
	Labels      []uint32 // community of each node, 0 to Communities-1: larger ones first, then by smallest member
	Communities int
	Modularity  float64
	Gain        float64 // how much the best move of a single node would still add to Modularity
}

// Cluster partitions the nodes of g into connected communities of high
// modularity. A node without edges is a community by itself. Cluster returns
// context.Cause(ctx) within a fraction of a second after ctx ends.
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
	count := s.partition(&g.csr, labels, o.Resolution, o.plan(g.arcs), o.Start.root())
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

// stopFlag returns a flag that is set when the context ends. Inner loops can afford
// to read it. The caller calls release when it is done.
func stopFlag(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	if ctx.Err() != nil {
		stop.Store(true)
	}
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}

// canonicalize renumbers labels: larger communities first, then by smallest member.
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
	nextRank := sc.part // of communities that are smaller than the largest by the index
	clear(nextRank)
	for _, size := range sizes {
		nextRank[largest-size]++
	}
	prefixSum(nextRank)
	ranks := sizes
	for _, c := range byMember {
		next := &nextRank[largest-sizes[c]]
		ranks[c] = *next
		*next++
	}
	for i, c := range labels {
		labels[i] = ranks[c]
	}
}
