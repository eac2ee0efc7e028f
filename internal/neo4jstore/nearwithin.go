package neo4jstore

import (
	"slices"
	"strings"
)

// saidMentions is how many mentions describe a node within a part of a corpus.
const saidMentions = 8

// vectorsWithin is how many times more neighbours than wanted are looked at for
// those within a part of a corpus.
const vectorsWithin = 10

// within adds what bounds the search. All chunks of the part are compared with the
// vector; entities are those among the nearest of the corpus.
func (q HybridQuery) within(params map[string]any) map[string]any {
	params["near"], params["nearest"] = max(1, q.VectorHits), vectorsWithin*max(1, q.VectorHits)
	return q.Scope.params(params)
}

// within adds what bounds the read. The chunks that were found go by another name.
func (q NeighborhoodQuery) within(params map[string]any) map[string]any {
	params["sources"], params["said"] = params["chunks"], saidMentions
	return q.Scope.params(params)
}

// described is the description of a node, or what mentions say of it, each once.
func described(row, node values) string {
	var said []string
	for _, text := range row.texts("said") {
		if text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return node.text("description")
	}
	return strings.Join(said, " ")
}
