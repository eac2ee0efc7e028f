package leiden

import (
	"cmp"
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
	defer caught(&err)
	o, err = o.withDefaults(g)
	if err != nil {
		return Partition{}, err
	}
	stop, release := watch(ctx)
	defer release()
	t := newTeam(o.workersFor(g, parallel))
	defer t.close()
	s := newSolver(o, stop, t)
	labels := make([]uint32, g.Nodes())
	count := s.partition(&g.csr, labels, o.Resolution, o.plan(g.arcs), o.Previous)
	if stop.Load() {
		return Partition{}, context.Cause(ctx)
	}
	p = Partition{Labels: labels, Communities: count}
	canonical(labels, count)
	p.Modularity, p.Gain = s.assess(&g.csr, labels, count, o.Resolution)
	if stop.Load() {
		return Partition{}, context.Cause(ctx)
	}
	return p, nil
}

// watch turns the end of a context into a flag that inner loops can afford to read.
func watch(ctx context.Context) (stop *atomic.Bool, release func() bool) {
	stop = new(atomic.Bool)
	if ctx.Err() != nil {
		stop.Store(true)
	}
	return stop, context.AfterFunc(ctx, func() { stop.Store(true) })
}

// canonical renames labels: larger communities first, then smallest member.
func canonical(labels []uint32, count int) {
	type community struct{ label, size, first uint32 }
	all := make([]community, count)
	for i := range all {
		all[i].label = uint32(i)
	}
	for i, label := range slices.Backward(labels) {
		c := &all[label]
		c.size++
		c.first = uint32(i)
	}
	slices.SortFunc(all, func(a, b community) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.first, b.first))
	})
	rename := make([]uint32, count)
	for i, c := range all {
		rename[c.label] = uint32(i)
	}
	for i, c := range labels {
		labels[i] = rename[c]
	}
}
