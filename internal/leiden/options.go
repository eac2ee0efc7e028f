package leiden

import (
	"errors"
	"fmt"
	"math"
	"runtime"
)

// Effort is how long to search for a better partition.
type Effort int

// The efforts. Default is Best below 200,000 edges, with several starts on small
// graphs, where they cost next to nothing, and Balanced from 200,000 edges.
const (
	Default  Effort = iota
	Fast            // one iteration
	Balanced        // a rough start without refinement, then one iteration
	Best            // a rough start, two iterations, then local moves until little is left to gain
	Stable          // iterations until nothing changes: no move of one node improves modularity
)

var efforts = [...]string{"default", "fast", "balanced", "best", "stable"}

// String returns the name of the effort as it is spelled in settings.
func (e Effort) String() string {
	if e < 0 || int(e) >= len(efforts) {
		return fmt.Sprintf("Effort(%d)", int(e))
	}
	return efforts[e]
}

// ParseEffort returns the effort with the given name; the empty name is Default.
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

// None marks a node in Start.Levels that had no community.
const None uint32 = none

// A Start is a hierarchy of a graph before some edges changed, found with the same
// options. Clustering continues from it: a community keeps its members and everything
// below it unless one of its nodes changed or moved. The result is connected and nested
// whatever the labels are.
type Start struct {
	Levels  [][]uint32 // by level from the root level: the community of each node, None for a new node or one that had none there
	Changed []bool     // nodes whose edges were added, removed or weighted otherwise; nil: any of them
}

// DefaultMaxSize is the value of Options.MaxSize that 0 means. GraphRAG uses the same.
const DefaultMaxSize = 10

// batchArcs is the number of arcs from which moving nodes in batches pays off,
// because batches can be evaluated in parallel.
const batchArcs = 150_000

// bestBelow is the number of edges below which Default is Best, not Balanced.
const bestBelow = 200_000

// Options of BuildHierarchy. The zero value works.
type Options struct {
	Resolution float64 // higher makes smaller communities; 0: 1
	MaxSize    int     // communities of at least this size are split further; 0: 10
	Seed       uint64  // of the random order of nodes; no value is better than another
	Workers    int     // maximum number of goroutines; 0: one per CPU. Does not change the result
	Effort     Effort  // how long to search for a better partition
	Start      *Start  // a hierarchy to continue from; nil: none
	Strict     bool    // split with rising resolution until no final community exceeds MaxSize

	batchArcs     int  // arcs from which nodes move in batches; tests lower it
	prefetchNodes int  // nodes from which rows are prefetched; tests lower it
	reorderNodes  int  // nodes from which a graph is reordered; tests lower it
	multiStart    bool // start several times on small graphs
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
		return o, fmt.Errorf("cluster: unknown effort %d: %w", int(o.Effort), ErrOptions)
	}
	if err := o.Start.check(g.Nodes()); err != nil {
		return o, err
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

// check checks the lengths of the labels.
func (s *Start) check(nodes int) error {
	if s == nil {
		return nil
	}
	for level, labels := range s.Levels {
		if len(labels) != nodes {
			return fmt.Errorf("cluster: start with %d labels of level %d for %d nodes: %w", len(labels), level, nodes, ErrOptions)
		}
	}
	if s.Changed != nil && len(s.Changed) != nodes {
		return fmt.Errorf("cluster: start with %d changed nodes of %d: %w", len(s.Changed), nodes, ErrOptions)
	}
	return nil
}

// workersFor returns how many goroutines to start for a graph: one if it has fewer
// than minArcs arcs, which do not pay for starting more.
func (o Options) workersFor(g *Graph, minArcs int) int {
	if g.arcs < min(minArcs, o.batchArcs) {
		return 1
	}
	return o.Workers
}
