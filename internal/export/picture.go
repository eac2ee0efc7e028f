package export

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/communitycolor"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/layout"
)

// A Picture is the shape of a graph with places and colours.
type Picture struct {
	Communities []Community // parents first: by level, then ordinal
	Levels      int
	index       map[string]int32 // of an entity, by key
	community   map[string]int32
	homes       []int32 // of each entity, its deepest community; -1 for none
	circles     []layout.Circle
	edges       []layout.Edge // in the order of the sequence
}

// A Community is one with its place, its colour and the title of its report.
type Community struct {
	graph.Community        // without members
	Size            int    // number of members
	Title           string // of its report; else the label
	Up              int32  // index of the parent, -1 at the root level
	Color           communitycolor.Color
	layout.Circle
}

// A Node is an entity with its place.
type Node struct {
	graph.Entity
	Index int32
	Path  []int32 // its communities by level, by index in Picture.Communities
	Color communitycolor.Color
	layout.Circle
}

// Draw places and colours a graph. It reads every sequence once.
func Draw(g Graph) (*Picture, error) {
	p := &Picture{index: map[string]int32{}, community: map[string]int32{}}
	p.tree(g.Communities)
	var sizes []float64
	for e, err := range g.Entities {
		if err != nil {
			return nil, err
		}
		if _, ok := p.index[e.Key]; !ok {
			p.index[e.Key] = int32(len(sizes))
			sizes = append(sizes, Radius(e.Degree))
		}
	}
	for r, err := range g.Relationships {
		if err != nil {
			return nil, err
		}
		a, okA := p.index[r.Source]
		b, okB := p.index[r.Target]
		if !okA || !okB {
			return nil, ErrMoved
		}
		p.edges = append(p.edges, layout.Edge{A: a, B: b, Weight: float64(r.Weight)})
	}
	if err := p.titles(g); err != nil {
		return nil, err
	}
	return p, p.place(g, sizes)
}

// Radius is that of a node: its area grows with the number of its relationships.
func Radius(degree int) float64 { return 4 * math.Sqrt(1+float64(max(degree, 0))/2) }

func (p *Picture) tree(all []graph.Community) {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Key, b.Key))
	})
	tree := make([]communitycolor.Community, len(sorted))
	for i, c := range sorted {
		tree[i] = communitycolor.Community{Key: c.Key, Parent: c.Parent, Level: c.Level, Ordinal: c.Ordinal}
	}
	colors := communitycolor.Tree(tree)
	for i, c := range sorted {
		up := int32(-1)
		if j, ok := p.community[c.Parent]; ok {
			up = j
		}
		p.community[c.Key] = int32(i)
		p.Levels = max(p.Levels, c.Level+1)
		size := len(c.Members)
		c.Members = nil
		p.Communities = append(p.Communities, Community{Community: c, Size: size, Title: c.Label, Up: up, Color: colors[c.Key]})
	}
}

func (p *Picture) titles(g Graph) error {
	for r, err := range g.Reports {
		if err != nil {
			return err
		}
		i, ok := p.community[r.Community]
		if !ok {
			return ErrMoved
		}
		p.Communities[i].Title = cmp.Or(r.Title, p.Communities[i].Title)
	}
	return nil
}

func (p *Picture) place(g Graph, sizes []float64) error {
	p.homes = make([]int32, len(sizes))
	for i := range p.homes {
		p.homes[i] = -1
	}
	for _, c := range g.Communities {
		at := p.community[c.Key]
		for _, m := range c.Members {
			i, ok := p.index[m]
			if !ok {
				return ErrMoved
			}
			if old := p.homes[i]; old < 0 || p.Communities[old].Level < c.Level {
				p.homes[i] = at
			}
		}
	}
	parents := make([]int32, len(p.Communities))
	for i, c := range p.Communities {
		parents[i] = c.Up
	}
	l, err := layout.Place(layout.Graph{Parents: parents, Homes: p.homes, Sizes: sizes, Edges: p.edges})
	if err != nil {
		return fmt.Errorf("place the graph: %w", err)
	}
	p.circles = l.Nodes
	for i := range p.Communities {
		p.Communities[i].Circle = l.Communities[i]
	}
	return nil
}

// Entity gives the index of an entity.
func (p *Picture) Entity(key string) (int32, bool) {
	i, ok := p.index[key]
	return i, ok
}

// Community gives the index of a community.
func (p *Picture) Community(key string) (int32, bool) {
	i, ok := p.community[key]
	return i, ok
}

// Edges are the relationships in the order of their sequence, with the indexes
// of their ends.
func (p *Picture) Edges() []layout.Edge { return p.edges }

// Entities is how many there are.
func (p *Picture) Entities() int { return len(p.homes) }

// Home is the deepest community of an entity, -1 for none.
func (p *Picture) Home(entity int32) int32 { return p.homes[entity] }

// Node is an entity with its place; ErrMoved if the picture does not know it.
func (p *Picture) Node(e graph.Entity) (Node, error) {
	i, ok := p.index[e.Key]
	if !ok {
		return Node{}, ErrMoved
	}
	n := Node{Entity: e, Index: i, Color: communitycolor.None, Circle: p.circles[i]}
	for c := p.homes[i]; c >= 0; c = p.Communities[c].Up {
		n.Path = append(n.Path, c)
	}
	slices.Reverse(n.Path)
	if len(n.Path) > 0 {
		n.Color = p.Communities[n.Path[len(n.Path)-1]].Color
	}
	return n, nil
}

// Circles are those of all entities and communities.
func (p *Picture) Circles() iter.Seq2[int, layout.Circle] {
	return func(yield func(int, layout.Circle) bool) {
		for i, c := range p.circles {
			if !yield(i, c) {
				return
			}
		}
		for i, c := range p.Communities {
			if !yield(i, c.Circle) {
				return
			}
		}
	}
}
