// Package community turns a snapshot of the entity graph into communities with keys,
// parents, labels, and ordinals that are stable between runs. The clustering itself is
// in package leiden.
package community

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
)

// ErrSnapshot is matched by errors about keys that do not match their graph.
var ErrSnapshot = errors.New("invalid snapshot")

// A Snapshot is the entities of a corpus and the RELATED edges between them. Node i of the
// graph is the entity Keys[i]. Keys are in ascending order, so that equal graphs give
// equal communities.
type Snapshot struct {
	Keys    []string
	Graph   *leiden.Graph
	Changed []bool // entities whose edges changed since the previous communities were found; nil: any of them
}

// Options of Detect. The zero value works.
type Options struct {
	Leiden leiden.Options
	Prefix string // of labels; empty means C
	Fresh  bool   // do not start from the previous communities; they only give their ordinals
}

// defaultPrefix sorts before all other labels, so that Neo4j Browser colours nodes by
// community.
const defaultPrefix = "C"

// Stats describe a hierarchy.
type Stats struct {
	Levels     []LevelStats
	Modularity float64 // of level 0
	Clustered  int     // entities with a relationship to another one
	Isolated   int     // entities without one, which are in no community
}

// LevelStats describe one level of a hierarchy.
type LevelStats struct {
	Level       int
	Communities int
	Entities    int // members of all its communities
	Largest     int // members of the largest community
}

// Version changes when the same graph and options give other communities.
const Version = "leiden-2"

// Fingerprint returns a hash of the options that can change the result of Detect. The
// number of workers cannot.
func Fingerprint(o Options) string {
	l := o.Leiden
	return graph.Hash(Version,
		strconv.FormatFloat(cmp.Or(l.Resolution, 1), 'g', -1, 64),
		strconv.Itoa(cmp.Or(l.MaxSize, leiden.DefaultMaxSize)),
		strconv.FormatUint(l.Seed, 10),
		l.Effort.String(),
		strconv.FormatBool(l.Strict),
		cmp.Or(o.Prefix, defaultPrefix))
}

// Detect clusters a snapshot into a hierarchy of communities, sorted by level and ordinal.
// It starts from the previous communities, if there are any: those in which nothing
// changed stay as they are, with everything below them. A community that shares most
// members with a previous one gets its ordinal.
func Detect(ctx context.Context, corpus string, s Snapshot, previous []Previous, o Options) ([]graph.Community, Stats, error) {
	if err := s.check(); err != nil {
		return nil, Stats{}, fmt.Errorf("detect communities of %s: %w", corpus, err)
	}
	var nodes map[string]uint32
	if len(previous) > 0 {
		nodes = nodesByKey(s.Keys)
	}
	if len(previous) > 0 && !o.Fresh {
		o.Leiden.Start = startFrom(s, nodes, previous)
	}
	h, err := leiden.BuildHierarchy(ctx, s.Graph, o.Leiden)
	if err != nil {
		return nil, Stats{}, fmt.Errorf("detect communities of %s: %w", corpus, err)
	}
	stats := Stats{Modularity: h.Modularity, Clustered: len(h.Order), Isolated: len(s.Keys) - len(h.Order)}
	var all []graph.Community
	var above []graph.Community // the level above, in the order of the hierarchy
	for level, found := range h.Levels {
		current := make([]graph.Community, len(found))
		levelStats := LevelStats{Level: level, Communities: len(found)}
		weights := s.weights(h.Order, found)
		members := make([][]uint32, len(found)) // nodes
		for i, c := range found {
			members[i] = h.Order[c.First:c.Last]
			keys := s.members(members[i])
			current[i] = graph.Community{
				Key: graph.CommunityKey(corpus, level, keys), Level: level,
				Members: keys, Weight: weights[i], Final: c.Final,
			}
			if c.Parent >= 0 {
				current[i].Parent = above[c.Parent].Key
			}
			levelStats.Entities += c.Size()
			levelStats.Largest = max(levelStats.Largest, c.Size())
		}
		old := slices.DeleteFunc(slices.Clone(previous), func(p Previous) bool { return p.Level != level })
		for i, ordinal := range ordinals(current, members, old, homesOf(old, nodes, len(s.Keys))) {
			current[i].Ordinal = ordinal
			current[i].Label = graph.CommunityLabel(cmp.Or(o.Prefix, defaultPrefix), level, ordinal)
		}
		above = current
		all = append(all, current...)
		stats.Levels = append(stats.Levels, levelStats)
	}
	slices.SortFunc(all, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return all, stats, nil
}

func (s Snapshot) check() error {
	if s.Graph == nil || s.Graph.Nodes() != len(s.Keys) {
		return fmt.Errorf("%d keys do not match the nodes of the graph: %w", len(s.Keys), ErrSnapshot)
	}
	for i := 1; i < len(s.Keys); i++ {
		if s.Keys[i-1] >= s.Keys[i] {
			return fmt.Errorf("key %q follows %q, want ascending keys: %w", s.Keys[i], s.Keys[i-1], ErrSnapshot)
		}
	}
	return nil
}

// members returns the keys of nodes, sorted.
func (s Snapshot) members(nodes []uint32) []string {
	sorted := slices.Clone(nodes)
	slices.Sort(sorted)
	keys := make([]string, len(sorted))
	for i, v := range sorted {
		keys[i] = s.Keys[v]
	}
	return keys
}

// weights returns the total weight of the edges inside each community of one level.
func (s Snapshot) weights(order []uint32, level []leiden.Community) []int {
	const outside = -1
	communityOf := make([]int, len(s.Keys))
	for i := range communityOf {
		communityOf[i] = outside
	}
	for i, c := range level {
		for _, v := range order[c.First:c.Last] {
			communityOf[v] = i
		}
	}
	weights := make([]int, len(level))
	for i, c := range level {
		sum := 0.0
		for _, v := range order[c.First:c.Last] {
			for u, w := range s.Graph.Neighbors(v) {
				if u > v && communityOf[u] == i {
					sum += w
				}
			}
		}
		weights[i] = int(math.Round(sum))
	}
	return weights
}
