package export

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/communitycolor"
	"github.com/neorag/neorag/internal/view/layout"
)

// A Drawing is the structure of a graph with places and colours.
type Drawing struct {
	Communities    []Community // parents first: by level, then ordinal
	Levels         int
	entityIndex    map[string]int32 // of an entity, by key
	communityIndex map[string]int32
	deepest        []int32 // of each entity, its deepest community; -1 for none
	circles        []layout.Circle
	edges          []layout.Edge // in the order of the sequence
}

// A Community is a community with its place and colour.
type Community struct {
	graph.Community        // without members
	Size            int    // number of members
	Title           string // of its report, or the label without one
	ParentIndex     int32  // in Drawing.Communities; -1 at the root level
	Color           communitycolor.Color
	layout.Circle
}

// A Node is an entity with its place.
type Node struct {
	graph.Entity
	Index int32
	Path  []int32 // its communities by level, as indexes of Drawing.Communities
	Color communitycolor.Color
	layout.Circle
}

// Draw places and colours a graph. It reads each sequence once.
func Draw(g Graph) (*Drawing, error) {
	d := &Drawing{entityIndex: map[string]int32{}, communityIndex: map[string]int32{}}
	d.addCommunities(g.Communities)
	var sizes []float64
	for e, err := range g.Entities {
		if err != nil {
			return nil, err
		}
		if _, ok := d.entityIndex[e.Key]; !ok {
			d.entityIndex[e.Key] = int32(len(sizes))
			sizes = append(sizes, Radius(e.Degree))
		}
	}
	for r, err := range g.Relationships {
		if err != nil {
			return nil, err
		}
		a, okA := d.entityIndex[r.Source]
		b, okB := d.entityIndex[r.Target]
		if !okA || !okB {
			return nil, ErrGraphChanged
		}
		d.edges = append(d.edges, layout.Edge{A: a, B: b, Weight: float64(r.Weight)})
	}
	if err := d.readTitles(g); err != nil {
		return nil, err
	}
	return d, d.place(g, sizes)
}

// Radius returns the radius of a node. Its area grows with the number of its
// relationships.
func Radius(degree int) float64 { return 4 * math.Sqrt(1+float64(max(degree, 0))/2) }

func (d *Drawing) addCommunities(all []graph.Community) {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Key, b.Key))
	})
	colors := communitycolor.Tree(sorted)
	for i, c := range sorted {
		up := int32(-1)
		if j, ok := d.communityIndex[c.Parent]; ok {
			up = j
		}
		d.communityIndex[c.Key] = int32(i)
		d.Levels = max(d.Levels, c.Level+1)
		size := len(c.Members)
		c.Members = nil
		d.Communities = append(d.Communities, Community{Community: c, Size: size, Title: c.Label, ParentIndex: up, Color: colors[c.Key]})
	}
}

func (d *Drawing) readTitles(g Graph) error {
	for r, err := range g.Reports {
		if err != nil {
			return err
		}
		i, ok := d.communityIndex[r.Community]
		if !ok {
			return ErrGraphChanged
		}
		d.Communities[i].Title = cmp.Or(r.Title, d.Communities[i].Title)
	}
	return nil
}

func (d *Drawing) place(g Graph, sizes []float64) error {
	d.deepest = make([]int32, len(sizes))
	for i := range d.deepest {
		d.deepest[i] = -1
	}
	for _, c := range g.Communities {
		at := d.communityIndex[c.Key]
		for _, m := range c.Members {
			i, ok := d.entityIndex[m]
			if !ok {
				return ErrGraphChanged
			}
			if old := d.deepest[i]; old < 0 || d.Communities[old].Level < c.Level {
				d.deepest[i] = at
			}
		}
	}
	parents := make([]int32, len(d.Communities))
	for i, c := range d.Communities {
		parents[i] = c.ParentIndex
	}
	l, err := layout.Place(layout.Graph{Parents: parents, Homes: d.deepest, Sizes: sizes, Edges: d.edges})
	if err != nil {
		return fmt.Errorf("place the graph: %w", err)
	}
	d.circles = l.Nodes
	for i := range d.Communities {
		d.Communities[i].Circle = l.Communities[i]
	}
	return nil
}

// EntityIndex returns the index of an entity by key.
func (d *Drawing) EntityIndex(key string) (int32, bool) {
	i, ok := d.entityIndex[key]
	return i, ok
}

// CommunityIndex returns the index of a community by key.
func (d *Drawing) CommunityIndex(key string) (int32, bool) {
	i, ok := d.communityIndex[key]
	return i, ok
}

// Edges returns the relationships in the order of their sequence, with the indexes of
// their ends.
func (d *Drawing) Edges() []layout.Edge { return d.edges }

// NumEntities returns the number of entities.
func (d *Drawing) NumEntities() int { return len(d.deepest) }

// DeepestCommunity returns the index of the deepest community of an entity, or -1.
func (d *Drawing) DeepestCommunity(entity int32) int32 { return d.deepest[entity] }

// Node returns an entity with its place, or ErrGraphChanged if the drawing does not
// have it.
func (d *Drawing) Node(e graph.Entity) (Node, error) {
	i, ok := d.entityIndex[e.Key]
	if !ok {
		return Node{}, ErrGraphChanged
	}
	n := Node{Entity: e, Index: i, Color: communitycolor.None, Circle: d.circles[i]}
	for c := d.deepest[i]; c >= 0; c = d.Communities[c].ParentIndex {
		n.Path = append(n.Path, c)
	}
	slices.Reverse(n.Path)
	if len(n.Path) > 0 {
		n.Color = d.Communities[n.Path[len(n.Path)-1]].Color
	}
	return n, nil
}

// Circles yields the circles of all entities, then of all communities.
func (d *Drawing) Circles() iter.Seq2[int, layout.Circle] {
	return func(yield func(int, layout.Circle) bool) {
		for i, c := range d.circles {
			if !yield(i, c) {
				return
			}
		}
		for i, c := range d.Communities {
			if !yield(i, c.Circle) {
				return
			}
		}
	}
}
