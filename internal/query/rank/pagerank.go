package rank

import (
	"cmp"
	"math"
	"slices"
)

// An Edge joins two nodes, numbered from 0. It is undirected.
type Edge struct {
	A, B   uint32
	Weight float32
	Kind   uint8 // one of the kinds of PageRankOptions.Scale
}

// A Graph is an undirected, weighted graph as flat lists, which may be memory of a file
// that is mapped into memory. The neighbours of node i are those from Start[i] until
// before Start[i+1], in ascending order. Every edge between two nodes is listed at both.
type Graph struct {
	Start      []uint32 // one more than nodes
	Neighbours []uint32
	Weights    []float32 // of the edges to the neighbours; positive and finite
	Kinds      []uint8   // of these edges
}

// NewGraph returns a graph of n nodes. It ignores edges with an end out of range or a
// weight that is not positive and finite. The weights of repeated edges of a kind add up.
// There must be fewer than 2^31 edges.
func NewGraph(n int, edges []Edge) Graph {
	g := Graph{Start: make([]uint32, max(n, 0)+1)}
	valid := func(e Edge) bool {
		return int(e.A) < n && int(e.B) < n && e.Weight > 0 && !math.IsInf(float64(e.Weight), 0)
	}
	for _, e := range edges {
		if valid(e) {
			g.Start[e.A+1]++
			if e.A != e.B {
				g.Start[e.B+1]++
			}
		}
	}
	for i := range g.Start[1:] {
		g.Start[i+1] += g.Start[i]
	}
	arcs := make([]arc, g.Start[len(g.Start)-1])
	free := slices.Clone(g.Start)
	add := func(at uint32, a arc) {
		arcs[free[at]] = a
		free[at]++
	}
	for _, e := range edges {
		if valid(e) {
			add(e.A, arc{e.B, e.Weight, e.Kind})
			if e.A != e.B {
				add(e.B, arc{e.A, e.Weight, e.Kind})
			}
		}
	}
	g.join(arcs)
	return g
}

// An arc is an edge as one of its ends lists it.
type arc struct {
	to     uint32
	weight float32
	kind   uint8
}

// join fills the lists of neighbours from arcs, which are at the places of Start, and sums
// up those that repeat.
func (g *Graph) join(arcs []arc) {
	g.Neighbours, g.Weights, g.Kinds = make([]uint32, 0, len(arcs)), make([]float32, 0, len(arcs)), make([]uint8, 0, len(arcs))
	from := uint32(0)
	for node := range g.Start[1:] {
		own := arcs[from:g.Start[node+1]]
		from = g.Start[node+1]
		// The sum of floating-point numbers depends on their order.
		slices.SortFunc(own, func(a, b arc) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.kind, b.kind), cmp.Compare(a.weight, b.weight))
		})
		for i, a := range own {
			if last := len(g.Weights) - 1; i > 0 && own[i-1].to == a.to && own[i-1].kind == a.kind {
				g.Weights[last] += a.weight
				continue
			}
			g.Neighbours, g.Weights, g.Kinds = append(g.Neighbours, a.to), append(g.Weights, a.weight), append(g.Kinds, a.kind)
		}
		g.Start[node+1] = uint32(len(g.Neighbours))
	}
}

// Len returns the number of nodes.
func (g Graph) Len() int { return max(0, len(g.Start)-1) }

// A Seed is a node where walks start, with its share of them.
type Seed struct {
	Node   uint32
	Weight float64 // relative to the other seeds; one that is not positive and finite is ignored
}

// PageRankOptions control PageRank. The zero value means the defaults.
type PageRankOptions struct {
	Damping float64 // the probability of another step, below 1; 0 means .5, as in HippoRAG 2
	// Cutoff is the share of all walks, for each edge of a node, that is too small to be
	// followed; 0 means 3e-7. The time is at most proportional to its inverse.
	Cutoff float64
	// Weigh, unless it is nil, returns the weight of an edge in place of that in Weights, before it
	// is scaled: the same from both ends, not negative, finite.
	Weigh func(from, to uint32, kind uint8, weight float32) float64
	Scale []float64 // factor of the edges of each kind, not negative; a kind beyond the last has 1
}

func (o PageRankOptions) withDefaults() PageRankOptions {
	o.Damping = cmp.Or(o.Damping, .5)
	o.Cutoff = cmp.Or(o.Cutoff, 3e-7)
	return o
}

// PageRank returns the personalised PageRank of each node: the share of walks that end
// there, of walks that start at the seeds and after each step end with a probability of
// one minus the damping. A step follows an edge, by weight; at a node without edges a
// walk starts again. The scores add up to 1, or are all 0 without a seed.
//
// It pushes walks forward (Andersen, Chung and Lang 2006) from node to node in the order in
// which they are reached, so that the time depends on the surroundings of the seeds and
// not on the size of the graph, apart from lists of scores. Walks that are too few to be
// followed end where they are.
func PageRank(g Graph, seeds []Seed, o PageRankOptions) []float64 {
	p := push{g: g, o: o.withDefaults(), restart: g.shares(seeds), scores: make([]float64, g.Len()), waiting: make([]float64, g.Len())}
	for _, s := range p.restart {
		p.add(s.Node, s.Weight)
	}
	for ; len(p.queue) > 0; p.next() {
		p.follow(p.queue[p.first])
	}
	for node, share := range p.waiting {
		p.scores[node] += share
	}
	return p.scores
}

// shares returns the seeds in the order of nodes, each once, with weights that add up to 1.
func (g Graph) shares(seeds []Seed) []Seed {
	valid := slices.DeleteFunc(slices.Clone(seeds), func(s Seed) bool {
		return int(s.Node) >= g.Len() || !(s.Weight > 0) || math.IsInf(s.Weight, 0)
	})
	slices.SortFunc(valid, func(a, b Seed) int { return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Weight, b.Weight)) })
	out := valid[:0]
	total := 0.
	for _, s := range valid {
		total += s.Weight
		if last := len(out) - 1; last >= 0 && out[last].Node == s.Node {
			out[last].Weight += s.Weight
		} else {
			out = append(out, s)
		}
	}
	for i := range out {
		out[i].Weight /= total
	}
	return out
}

// A push is the state of PageRank.
type push struct {
	g       Graph
	o       PageRankOptions
	restart []Seed
	scores  []float64 // walks that ended, as a share of all, by node
	waiting []float64 // walks at a node that are not followed yet
	queue   []uint32  // nodes with enough walks to follow, from first on
	first   int
}

// next removes the first node of the queue.
func (p *push) next() {
	if p.first++; p.first == len(p.queue) {
		p.queue, p.first = p.queue[:0], 0
	}
}

// add adds walks to a node.
func (p *push) add(node uint32, share float64) {
	before := p.waiting[node]
	p.waiting[node] = before + share
	limit := float64(p.o.Cutoff * float64(1+p.g.Start[node+1]-p.g.Start[node]))
	if before < limit && before+share >= limit {
		p.queue = append(p.queue, node)
	}
}

// follow ends the walks at a node or moves them by one step.
func (p *push) follow(node uint32) {
	share := p.waiting[node]
	p.waiting[node] = 0
	moving := float64(p.o.Damping * share)
	p.scores[node] += share - moving
	from, to := p.g.Start[node], p.g.Start[node+1]
	strength := 0.
	for e := from; e < to; e++ {
		strength += p.weight(node, e)
	}
	if strength == 0 {
		for _, s := range p.restart {
			p.add(s.Node, float64(moving*s.Weight))
		}
		return
	}
	moving /= strength
	for e := from; e < to; e++ {
		if weight := p.weight(node, e); weight > 0 {
			p.add(p.g.Neighbours[e], float64(moving*weight))
		}
	}
}

// weight returns the scaled weight of an edge of a node.
func (p *push) weight(node, e uint32) float64 {
	weight, kind := float64(p.g.Weights[e]), p.g.Kinds[e]
	if p.o.Weigh != nil {
		weight = p.o.Weigh(node, p.g.Neighbours[e], kind, p.g.Weights[e])
	}
	if int(kind) >= len(p.o.Scale) {
		return weight
	}
	return float64(weight * p.o.Scale[kind])
}
