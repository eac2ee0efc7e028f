// Package layout places a graph and its tree of communities in the plane. Each
// community is a circle that contains the circles of its children and members;
// inside it, a force-directed layout draws linked circles together. It is
// deterministic: the same graph and seed give the same places. No two nodes have the
// same place.
package layout

import "fmt"

// An Edge links two nodes by index. Loops are ignored.
type Edge struct {
	A, B   int32
	Weight float64 // above 0; any other value counts as 1
}

// A Graph is the input of Place.
type Graph struct {
	Parents []int32   // of each community, the index of its parent, which is smaller; -1 at the root level
	Homes   []int32   // of each node, the index of its deepest community, or -1
	Sizes   []float64 // radius of each node; a value that is not above 0 counts as 1
	Edges   []Edge
	Seed    uint64 // rotates the layout
}

// A Circle is a place with a radius.
type Circle struct{ X, Y, R float64 }

// A Layout has a circle for each node and each community, by index. Its centre is
// at 0, 0.
type Layout struct {
	Nodes       []Circle
	Communities []Circle
}

// Place computes the layout, in about n log n steps for n nodes.
func Place(g Graph) (Layout, error) {
	t, err := newTree(g)
	if err != nil {
		return Layout{}, err
	}
	relative := make([][]Circle, t.groups())
	for group := t.groups() - 1; group >= 0; group-- {
		relative[group] = t.arrange(group)
	}
	places := t.absolute(relative)
	n := len(g.Homes)
	l := Layout{Nodes: places[:n:n], Communities: places[n : n+len(g.Parents)]}
	moveDuplicates(l.Nodes)
	return l, nil
}

// A tree has items, which are the nodes, then the communities, then the root. A group
// is the root or a community as a container of items: group 0 is the root, group i+1
// is community i.
type tree struct {
	nodes   int
	parent  []int32 // of each item, its group; -1 for the root
	depth   []int32 // of each item; 0 for the root
	radius  []float64
	levels  int32     // of communities
	content []float64 // of each item, the sum of the squared radii of its nodes
	items   [][]int32 // of each group
	links   [][]link  // of each group, between positions in items
	edges   []Edge
	seed    uint64
}

type link struct {
	a, b   int32
	weight float64
}

func (t *tree) groups() int { return len(t.items) }

// item returns the item of a group.
func (t *tree) item(group int) int32 {
	if group == 0 {
		return int32(len(t.parent) - 1)
	}
	return int32(t.nodes + group - 1)
}

func newTree(g Graph) (*tree, error) {
	n, k := len(g.Homes), len(g.Parents)
	t := &tree{
		nodes: n, parent: make([]int32, n+k+1), depth: make([]int32, n+k+1), radius: make([]float64, n+k+1), content: make([]float64, n+k+1),
		items: make([][]int32, k+1), links: make([][]link, k+1), seed: g.Seed,
	}
	t.parent[n+k] = -1
	for i, p := range g.Parents {
		if p < -1 || int(p) >= i {
			return nil, fmt.Errorf("place community %d: its parent %d does not precede it", i, p)
		}
		t.insert(int32(n+i), p)
		t.levels = max(t.levels, t.depth[n+i])
	}
	if len(g.Sizes) != n {
		return nil, fmt.Errorf("place %d nodes: got %d sizes", n, len(g.Sizes))
	}
	for i, home := range g.Homes {
		if home < -1 || int(home) >= k {
			return nil, fmt.Errorf("place node %d: no community %d", i, home)
		}
		t.insert(int32(i), home)
		t.radius[i] = 1
		if s := g.Sizes[i]; s > 0 && s < 1e6 {
			t.radius[i] = s
		}
		t.content[i] = t.radius[i] * t.radius[i]
	}
	for i, e := range g.Edges {
		if e.A < 0 || e.B < 0 || int(e.A) >= n || int(e.B) >= n {
			return nil, fmt.Errorf("place edge %d: no node %d or %d", i, e.A, e.B)
		}
		if e.A == e.B {
			continue
		}
		if !(e.Weight > 0 && e.Weight < 1e12) {
			e.Weight = 1
		}
		t.edges = append(t.edges, e)
	}
	t.linkItems()
	return t, nil
}

// insert adds an item to the group of a community, or of the root for -1.
func (t *tree) insert(item, community int32) {
	group := community + 1
	t.parent[item] = group
	t.depth[item] = 1
	if group > 0 {
		t.depth[item] = t.depth[t.item(int(group))] + 1
	}
	t.items[group] = append(t.items[group], item)
}

// linkItems assigns each edge to the deepest group that contains both of its ends.
func (t *tree) linkItems() {
	position := make([]int32, len(t.parent))
	for _, items := range t.items {
		for i, item := range items {
			position[item] = int32(i)
		}
	}
	for _, e := range t.edges {
		a, b := e.A, e.B
		for t.parent[a] != t.parent[b] {
			if t.depth[a] >= t.depth[b] {
				a = t.item(int(t.parent[a]))
			} else {
				b = t.item(int(t.parent[b]))
			}
		}
		if a != b {
			group := t.parent[a]
			t.links[group] = append(t.links[group], link{position[a], position[b], e.Weight})
		}
	}
	for group := range t.links {
		t.links[group] = mergeLinks(t.links[group])
	}
}
