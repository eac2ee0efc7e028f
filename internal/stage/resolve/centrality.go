package resolve

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/text/textproc"
)

// rankByCentrality returns the sentences, the most central first, ties in byte order.
func rankByCentrality(sentences []string) []string {
	scores := textproc.Centrality(sentences)
	order := make([]int, len(sentences))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(sentences[a], sentences[b]))
	})
	out := make([]string, len(order))
	for i, at := range order {
		out[i] = sentences[at]
	}
	return out
}
