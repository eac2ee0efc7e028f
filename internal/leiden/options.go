package leiden

import (
	"errors"
	"fmt"
	"math"
	"runtime"
)

// Effort says how long to look for a better partition.
type Effort int

// The efforts. Default is Best below 200,000 edges, begun several times where
// that costs next to nothing, and Balanced from there.
const (
	Default  Effort = iota
	Fast            // one iteration
	Balanced        // a rough start and one iteration
	Best            // a rough start and two iterations, then moves until little is left to gain
	Stable          // iterations until nothing changes: no move of one node improves modularity
)

var efforts = [...]string{"default", "fast", "balanced", "best", "stable"}

// String is the name of an effort as settings spell it.
func (e Effort) String() string {
	if e < 0 || int(e) >= len(efforts) {
		return fmt.Sprintf("Effort(%d)", int(e))
	}
	return efforts[e]
}

// ParseEffort is the effort of that name; the empty name is Default.
func ParseEffort(name string) (Effort, error) {
	if name == "" {
		return Default, nil
	}
	for i, e := range efforts {
		if e == name {
			return Effort(i), nil
		}
	}
	return Default, fmt.Errorf("effort %q: use one of %q: %w", name, efforts, ErrOptions)
}

// ErrOptions is matched by every error about options.
var ErrOptions = errors.New("invalid options")

// None in Options.Previous stands for a node that had no community.
const None uint32 = none

// DefaultMaxSize is Options.MaxSize where it is 0. GraphRAG uses the same.
const DefaultMaxSize = 10

// batchArcs is the size from which moving nodes in batches pays for evaluating
// them in parallel.
const batchArcs = 150_000

// bestBelow is the number of edges from which Default is Balanced.
const bestBelow = 200_000

// Options of Cluster and BuildHierarchy. The zero value works.
type Options struct {
	Resolution float64  // higher makes smaller communities; 0: 1
	MaxSize    int      // communities of at least this size are split further; 0: 10
	Seed       uint64   // orders nodes; any value is as good as another
	Workers    int      // goroutines at most; 0: one per CPU. Does not change the result
	Effort     Effort   // how long to look for a better partition
	Previous   []uint32 // labels to start from, one per node, None for a new node; nil: none
	Strict     bool     // split with rising resolution until no final community exceeds MaxSize

	batchArcs    int  // arcs from which moves are made in batches; tests lower it
	prefetchNodes     int  // nodes from which rows are far apart; tests lower it
	reorderNodes int  // nodes from which a graph is reordered; tests lower it
	multiStart        bool // begin small graphs several times
}

func (o Options) withDefaults(g *Graph) (Options, error) {
	switch {
	case !(o.Resolution >= 0) || math.IsInf(o.Resolution, 1):
		return o, fmt.Errorf("cluster: resolution %v, must be positive: %w", o.Resolution, ErrOptions)
	case o.MaxSize < 0:
		return o, fmt.Errorf("cluster: maximum size %d, must be positive: %w", o.MaxSize, ErrOptions)
	case o.Workers < 0:
		return o, fmt.Errorf("cluster: %d workers, must be positive: %w", o.Workers, ErrOptions)
	case o.Effort < Default || o.Effort > Stable:
		return o, fmt.Errorf("cluster: effort %d is not known: %w", int(o.Effort), ErrOptions)
	case o.Previous != nil && len(o.Previous) != g.Nodes():
		return o, fmt.Errorf("cluster: %d previous labels for %d nodes: %w", len(o.Previous), g.Nodes(), ErrOptions)
	}
	if o.Resolution == 0 {
		o.Resolution = 1
	}
	if o.MaxSize == 0 {
		o.MaxSize = DefaultMaxSize
	}
	if o.batchArcs == 0 {
		o.batchArcs = batchArcs
	}
	if o.prefetchNodes == 0 {
		o.prefetchNodes = prefetchNodes
	}
	if o.reorderNodes == 0 {
		o.reorderNodes = reorderNodes
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	o.multiStart = o.Effort == Default || o.Effort == Stable
	if o.Effort == Default {
		o.Effort = Balanced
		if g.Edges() < bestBelow {
			o.Effort = Best
		}
	}
	return o, nil
}

// workersFor is how many goroutines a graph keeps busy, if work on fewer arcs
// than least does not pay for their start.
func (o Options) workersFor(g *Graph, least int) int {
	if g.arcs < min(least, o.batchArcs) {
		return 1
	}
	return o.Workers
}
