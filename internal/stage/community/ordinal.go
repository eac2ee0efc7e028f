package community

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
)

// Previous is a community of the visible generation.
type Previous struct {
	Key     string
	Level   int
	Ordinal int
	Members []string // keys
}

// nodesByKey returns the node of each key.
func nodesByKey(keys []string) map[string]uint32 {
	nodes := make(map[string]uint32, len(keys))
	for v, key := range keys {
		nodes[key] = uint32(v) //nolint:gosec // a node of a leiden.Graph
	}
	return nodes
}

// startFrom returns the previous communities as labels for Leiden to start from.
func startFrom(s Snapshot, nodes map[string]uint32, previous []Previous) *leiden.Start {
	start := &leiden.Start{Changed: s.Changed}
	for i, p := range previous {
		for len(start.Levels) <= p.Level {
			labels := make([]uint32, len(s.Keys))
			for v := range labels {
				labels[v] = leiden.None
			}
			start.Levels = append(start.Levels, labels)
		}
		for _, m := range p.Members {
			if v, ok := nodes[m]; ok {
				start.Levels[p.Level][v] = uint32(i) //nolint:gosec // communities fit into memory
			}
		}
	}
	return start
}

// An overlap is a community and a previous one that share members.
type overlap struct {
	community, previous int // indices
	shared, union       int
}

// ordinals returns the ordinals of the communities of a level with these members, which are
// nodes. A community gets the ordinal of a previous one if it has more than half of the
// members of that one. Overlaps are tried by shared members, then Jaccard similarity, then
// previous ordinal, then key, and each community is used once. The others get the smallest
// ordinals that neither these nor previous communities have, larger communities first, then
// by smallest member.
func ordinals(now []graph.Community, members [][]uint32, old []Previous, h homes) []int {
	result := make([]int, len(now))
	for i := range result {
		result[i] = -1
	}
	taken := make(map[int]bool)
	oldUsed := make([]bool, len(old))
	for _, p := range overlaps(now, members, old, h) {
		if ordinal := old[p.previous].Ordinal; result[p.community] < 0 && !oldUsed[p.previous] && !taken[ordinal] && ordinal >= 0 {
			result[p.community] = ordinal
			oldUsed[p.previous], taken[ordinal] = true, true
		}
	}
	unmatched := make([]int, 0, len(now))
	for i, r := range result {
		if r < 0 {
			unmatched = append(unmatched, i)
		}
	}
	slices.SortFunc(unmatched, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(len(now[b].Members), len(now[a].Members)),
			cmp.Compare(now[a].Members[0], now[b].Members[0]))
	})
	for _, p := range old {
		taken[p.Ordinal] = true
	}
	next := 0
	for _, i := range unmatched {
		for taken[next] {
			next++
		}
		result[i] = next
		next++
	}
	return result
}

// homes are the previous communities of each node, as indices: the communities of node v are
// all[first[v]:first[v+1]].
type homes struct {
	first []uint32
	all   []int32
}

// homesOf returns the homes of a number of nodes in previous communities.
func homesOf(old []Previous, nodes map[string]uint32, n int) homes {
	h := homes{first: make([]uint32, n+1)}
	var members []uint32 // of all communities, one after the other
	ends := make([]int, len(old))
	for i, p := range old {
		for _, m := range p.Members {
			if v, ok := nodes[m]; ok {
				members = append(members, v)
				h.first[v+1]++
			}
		}
		ends[i] = len(members)
	}
	for v := range n {
		h.first[v+1] += h.first[v]
	}
	h.all = make([]int32, len(members))
	next := slices.Clone(h.first)
	begin := 0
	for i, end := range ends {
		for _, v := range members[begin:end] {
			h.all[next[v]] = int32(i) //nolint:gosec // communities fit into memory
			next[v]++
		}
		begin = end
	}
	return h
}

func (h homes) of(v uint32) []int32 { return h.all[h.first[v]:h.first[v+1]] }

// overlaps returns the overlaps with more than half of a previous community, best first.
func overlaps(now []graph.Community, members [][]uint32, old []Previous, h homes) []overlap {
	if len(old) == 0 {
		return nil
	}
	var found []overlap
	shared := make([]int, len(old))
	var touched []int32 // previous communities with shared members
	for i, nodes := range members {
		for _, v := range nodes {
			for _, o := range h.of(v) {
				if shared[o] == 0 {
					touched = append(touched, o)
				}
				shared[o]++
			}
		}
		for _, o := range touched {
			if n, size := shared[o], len(old[o].Members); 2*n > size {
				found = append(found, overlap{community: i, previous: int(o), shared: n, union: len(nodes) + size - n})
			}
			shared[o] = 0
		}
		touched = touched[:0]
	}
	slices.SortFunc(found, func(a, b overlap) int {
		return cmp.Or(
			cmp.Compare(b.shared, a.shared),
			// Jaccard similarity is shared/union; shared is equal here.
			cmp.Compare(a.union, b.union),
			cmp.Compare(old[a.previous].Ordinal, old[b.previous].Ordinal),
			cmp.Compare(now[a.community].Key, now[b.community].Key),
			cmp.Compare(old[a.previous].Key, old[b.previous].Key))
	})
	return found
}
