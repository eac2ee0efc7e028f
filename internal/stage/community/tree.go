package community

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/leiden"
)

// A Tree is a hierarchy of any graph with numbered communities: the communities of a level are
// numbered from 0, larger ones first, then by smallest member.
type Tree struct {
	*leiden.Hierarchy

	Numbers [][]int   // by level: the number of each community, in the order of the hierarchy
	Homes   [][]int32 // by level: the number of each node's community, or Outside
}

// Outside is the number for a node that is in no community of a level.
const Outside = -1

// NewTree numbers the communities of a hierarchy of a graph with a number of nodes.
func NewTree(h *leiden.Hierarchy, nodes int) *Tree {
	t := &Tree{Hierarchy: h}
	for _, level := range h.Levels {
		first := make([]uint32, len(level)) // smallest member of each community
		order := make([]int, len(level))
		for i, c := range level {
			order[i], first[i] = i, slices.Min(h.Order[c.First:c.Last])
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(level[b].Size(), level[a].Size()), cmp.Compare(first[a], first[b]))
		})
		numbers, homes := make([]int, len(level)), make([]int32, nodes)
		for v := range homes {
			homes[v] = Outside
		}
		for number, i := range order {
			numbers[i] = number
			for _, v := range h.Order[level[i].First:level[i].Last] {
				homes[v] = int32(number)
			}
		}
		t.Numbers, t.Homes = append(t.Numbers, numbers), append(t.Homes, homes)
	}
	return t
}

// Finals returns the number of communities without children. Each node of the hierarchy
// is in exactly one of them.
func (t *Tree) Finals() int {
	n := 0
	for _, level := range t.Levels {
		for _, c := range level {
			if c.Final {
				n++
			}
		}
	}
	return n
}

// Largest returns the size of the largest community of a level.
func (t *Tree) Largest(level int) int {
	largest := 0
	for _, c := range t.Levels[level] {
		largest = max(largest, c.Size())
	}
	return largest
}

// Disconnected returns the number of communities, of all levels, that are not connected,
// by a traversal of each. A hierarchy from package leiden has none. It returns
// context.Cause(ctx) soon after ctx ends.
func (t *Tree) Disconnected(ctx context.Context, g *leiden.Graph) (int, error) {
	count := 0
	var next []uint32
	for level, communities := range t.Levels {
		homes, seen := t.Homes[level], make([]bool, g.Nodes())
		for i, c := range communities {
			if i%256 == 0 && ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			start := t.Order[c.First]
			next, seen[start] = append(next[:0], start), true
			reached := 0
			for len(next) > 0 {
				v := next[len(next)-1]
				next = next[:len(next)-1]
				if reached++; reached%4096 == 0 && ctx.Err() != nil {
					return 0, context.Cause(ctx)
				}
				for u := range g.Neighbors(v) {
					if !seen[u] && homes[u] == homes[v] {
						seen[u] = true
						next = append(next, u)
					}
				}
			}
			if reached != c.Size() {
				count++
			}
		}
	}
	return count, nil
}
