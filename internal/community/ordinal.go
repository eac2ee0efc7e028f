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

// startFrom returns the previous communities as labels for Leiden to start from.
func startFrom(s Snapshot, previous []Previous) *leiden.Start {
	nodeOf := make(map[string]int, len(s.Keys))
	for v, key := range s.Keys {
		nodeOf[key] = v
	}
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
			if v, ok := nodeOf[m]; ok {
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

// ordinals returns the ordinals of the communities of a level. A community gets the
// ordinal of a previous one if it has more than half of the members of that one. Overlaps
// are tried by shared members, then Jaccard similarity, then previous ordinal, then key,
// and each community is used once. The others get the smallest ordinals that neither these
// nor previous communities have, larger communities first, then by smallest member.
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

// overlaps returns the overlaps with more than half of a previous community, best first.
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
			if 2*n <= len(old[o].Members) {
				continue
			}
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
