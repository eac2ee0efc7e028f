package qcg

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// A Neighbour is a node that another one has an edge to, with the cosine of the two.
type Neighbour struct {
	Key   string
	Score float64
}

// compare orders neighbours: the nearest first, then by key.
func compare(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
}

// tile is how many nodes are compared with all others in one pass over the vectors, so that
// each vector is loaded once for all of them.
const tile = 32

// Nearest returns the k nearest neighbours of each of the nodes, nearest first. Only nodes
// with a cosine above zero are neighbours.
func (s *Set) Nearest(ctx context.Context, nodes []int, k, workers int) ([][]Neighbour, error) {
	out := make([][]Neighbour, len(nodes))
	return out, s.fill(ctx, nodes, s.all(), Bound{K: k}, out, workers)
}

// A Bound says which nodes are neighbours of another one: the K nearest of those with at least
// the cosine Least, or with any above zero if that is 0.
type Bound struct {
	K     int
	Least float64
}

// Relink returns the lists of neighbours of all nodes after a change, given the previous lists:
// the lists of the marked nodes are made from scratch, and the others get the marked nodes that
// are near enough. They are the lists of a new set if the previous lists hold no node whose vector
// changed, and if every node is marked whose vector changed or whose full list lost a member.
func (s *Set) Relink(ctx context.Context, lists [][]Neighbour, marked []int, b Bound, workers int) ([][]Neighbour, error) {
	made := make([][]Neighbour, len(marked))
	if err := s.fill(ctx, marked, s.all(), b, made, workers); err != nil {
		return nil, err
	}
	out := make([][]Neighbour, len(s.keys))
	isMarked := make([]bool, len(s.keys))
	for i, node := range marked {
		isMarked[node], out[node] = true, made[i]
	}
	var rest []int
	var kept [][]Neighbour
	for node, list := range lists {
		if isMarked[node] {
			continue
		}
		own := make([]Neighbour, 0, len(list))
		for _, n := range list {
			if at, found := s.Find(n.Key); found && !isMarked[at] {
				own = append(own, n)
			}
		}
		rest, kept = append(rest, node), append(kept, own)
	}
	if err := s.fill(ctx, rest, marked, b, kept, workers); err != nil {
		return nil, err
	}
	for i, node := range rest {
		out[node] = kept[i]
	}
	return out, nil
}

func (s *Set) all() []int {
	out := make([]int, len(s.keys))
	for i := range out {
		out[i] = i
	}
	return out
}

// fill adds the other nodes that are near enough to the lists of nodes, which hold none of
// them.
func (s *Set) fill(ctx context.Context, nodes, others []int, b Bound, lists [][]Neighbour, workers int) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers))
	for from := 0; from < len(nodes); from += tile {
		to := min(from+tile, len(nodes))
		g.Go(func() error {
			if gctx.Err() != nil {
				return context.Cause(gctx)
			}
			s.nearest(nodes[from:to], others, b, lists[from:to])
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// nearest fills the lists of a tile of nodes.
func (s *Set) nearest(nodes, others []int, b Bound, lists [][]Neighbour) {
	// What a further neighbour must reach. Scores are rounded, so that a cosine slightly below
	// may do.
	lowest := make([]float32, len(nodes))
	raise := func(i int) {
		if len(lists[i]) >= b.K {
			lowest[i] = float32(lists[i][b.K-1].Score - 1/scale)
		}
	}
	for i := range nodes {
		lowest[i] = float32(max(0, b.Least-1/scale))
		raise(i)
	}
	for _, j := range others {
		for i, node := range nodes {
			if node == j {
				continue
			}
			x := s.above(node, j, lowest[i])
			if x <= 0 || x < lowest[i] {
				continue
			}
			if score := round(x); score >= b.Least {
				lists[i] = insert(lists[i], Neighbour{s.keys[j], score}, b.K)
				raise(i)
			}
		}
	}
}

// Insert inserts a neighbour into a list of at most k in the order of Nearest, if it is near
// enough. One that is in the list already is replaced.
func Insert(list []Neighbour, n Neighbour, k int) []Neighbour {
	if at := slices.IndexFunc(list, func(o Neighbour) bool { return o.Key == n.Key }); at >= 0 {
		list = slices.Delete(list, at, at+1)
	}
	return insert(list, n, k)
}

// insert is Insert of a neighbour that is not in the list.
func insert(list []Neighbour, n Neighbour, k int) []Neighbour {
	if n.Score <= 0 {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, n, compare)
	if at >= k {
		return list
	}
	list = slices.Insert(list, at, n)
	return list[:min(k, len(list))]
}
