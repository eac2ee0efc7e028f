package htmlmap

import (
	"slices"

	"github.com/neorag/neorag/internal/layout"
)

// A budget says how long texts may be, in runes, so that a page of 20,000
// entities and 60,000 relationships stays under five megabytes and a small one
// shows everything.
type budget struct {
	description int // of an entity
	edge        int // of a relationship that is described
	weight      int // relationships below this weight are not described
	quotes      int // for each entity
	quote       int
	citation    int
	report      int // summary and findings of a report together
}

const (
	describedEdges = 12_000 // at most so many relationships are described
	allDescribed   = 1_700_000
	allEdges       = 1_100_000
	allQuotes      = 1_300_000
	allReports     = 1_500_000
	allCitations   = 900_000
)

func budgetOf(entities, communities int, edges []layout.Edge) budget {
	b := budget{
		description: share(allDescribed, entities, 40, 700), quotes: 3,
		report: share(allReports, communities, 200, 8000), citation: share(allCitations, communities*8, 60, 320),
	}
	if entities > 5000 {
		b.quotes = 1
	}
	b.quote = share(allQuotes, entities*b.quotes, 50, 320)
	described := len(edges)
	if len(edges) > describedEdges {
		weights := make([]int, len(edges))
		for i, e := range edges {
			weights[i] = int(e.Weight)
		}
		slices.Sort(weights)
		b.weight = weights[len(weights)-describedEdges] + 1
		at, _ := slices.BinarySearch(weights, b.weight)
		described = len(weights) - at
	}
	b.edge = share(allEdges, described, 60, 360)
	return b
}

// share is what each of n gets, between two bounds.
func share(all, n, least, most int) int {
	return min(max(all/max(n, 1), least), most)
}
