package htmlmap

import (
	"slices"

	"github.com/neorag/neorag/internal/view/layout"
)

// A budget limits the lengths of texts, in runes, so that a page of 20,000 entities and
// 60,000 relationships stays under five megabytes, and a small page shows everything.
type budget struct {
	description int // of an entity
	edge        int // of a relationship
	weight      int // relationships below this weight have no description
	quotes      int // for each entity
	quote       int
	citation    int
	report      int // summary and findings of a report together
}

const (
	maxDescribed     = 12_000 // relationships with a description; the totals are in runes
	totalDescription = 1_700_000
	totalEdge        = 1_100_000
	totalQuote       = 1_300_000
	totalReport      = 1_500_000
	totalCitation    = 900_000
)

func newBudget(entities, communities int, edges []layout.Edge) budget {
	b := budget{
		description: share(totalDescription, entities, 40, 700), quotes: 3,
		report: share(totalReport, communities, 200, 8000), citation: share(totalCitation, communities*8, 60, 320),
	}
	if entities > 5000 {
		b.quotes = 1
	}
	b.quote = share(totalQuote, entities*b.quotes, 50, 320)
	described := len(edges)
	if len(edges) > maxDescribed {
		weights := make([]int, len(edges))
		for i, e := range edges {
			weights[i] = int(e.Weight)
		}
		slices.Sort(weights)
		b.weight = weights[len(weights)-maxDescribed] + 1
		at, _ := slices.BinarySearch(weights, b.weight)
		described = len(weights) - at
	}
	b.edge = share(totalEdge, described, 60, 360)
	return b
}

// share divides a total by n, within bounds.
func share(total, n, least, most int) int {
	return min(max(total/max(n, 1), least), most)
}
