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

// atLevel returns the communities of one level.
func atLevel(previous []Previous, level int) []Previous {
	var found []Previous
	for _, p := range previous {
		if p.Level == level {
			found = append(found, p)
		}
	}
	return found
}

// Labels returns the level-0 communities of a previous generation as labels to start
// Leiden from. Clustering then works only on what changed and keeps the rest as it was.
func Labels(s Snapshot, previous []Previous) []uint32 {
	labels := make([]uint32, len(s.Keys))
	for i := range labels {
		labels[i] = leiden.None
	}
	for i, p := range atLevel(previous, 0) {
		for _, m := range p.Members {
			if v, ok := slices.BinarySearch(s.Keys, m); ok {
				labels[v] = uint32(i)
			}
		}
	}
	return labels
}

// An overlap is a community and a previous one that share members.
type overlap struct {
	community, previous int // indices
	shared, union       int
}

// ordinals returns the ordinals of the communities of a level. A community gets the
// ordinal of a previous one that it overlaps. Overlaps are tried by shared members, then
// Jaccard similarity, then previous ordinal, then key, and each community is used once.
// The others get the smallest free ordinals, larger communities first, then by smallest
// member.
func ordinals(now []graph.Community, old []Previous) []int {
	result := make([]int, len(now))
	for i := range result {
		result[i] = -1
	}
	taken := make(map[int]bool)
	oldUsed := make([]bool, len(old))
	for _, p := range overlaps(now, old) {
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

// overlaps returns all overlaps, best first.
func overlaps(now []graph.Community, old []Previous) []overlap {
	communitiesOf := make(map[string][]int)
	for i, p := range old {
		for _, m := range p.Members {
			communitiesOf[m] = append(communitiesOf[m], i)
		}
	}
	var found []overlap
	for i, c := range now {
		shared := make(map[int]int)
		for _, m := range c.Members {
			for _, o := range communitiesOf[m] {
				shared[o]++
			}
		}
		for o, n := range shared {
			found = append(found, overlap{community: i, previous: o, shared: n, union: len(c.Members) + len(old[o].Members) - n})
		}
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
