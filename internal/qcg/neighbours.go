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
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers))
	for from := 0; from < len(nodes); from += tile {
		to := min(from+tile, len(nodes))
		g.Go(func() error {
			if gctx.Err() != nil {
				return context.Cause(gctx)
			}
			s.nearest(nodes[from:to], k, out[from:to])
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, ctx.Err()
}

// nearest fills in the neighbours of a tile of nodes.
func (s *Set) nearest(nodes []int, k int, out [][]Neighbour) {
	lowest := make([]float32, len(nodes)) // what a further neighbour must reach
	for j := range s.keys {
		other := s.vector(j)
		for i, node := range nodes {
			if node == j {
				continue
			}
			if x := dot(s.vector(node), other); x > 0 && x >= lowest[i] {
				out[i] = Insert(out[i], Neighbour{s.keys[j], round(x)}, k)
				if len(out[i]) == k {
					// Scores are rounded, so that one slightly below may still tie.
					lowest[i] = float32(out[i][k-1].Score - 1/scale)
				}
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
