package neo4jstore

import (
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// saidMentions is how many mentions describe a node within a part of a corpus.
const saidMentions = 8

// vectorsWithin is how many times more neighbours than wanted are looked at for
// those within a part of a corpus.
const vectorsWithin = 10

// nearWithin finds what Near does within a part of a corpus. All chunks of it are
// compared with the vector; entities are those among the nearest of the corpus.
func (s *Store) nearWithin(ctx context.Context, corpus string, q NearQuery, params map[string]any, found *Near) error {
	words, err := s.Search(ctx, corpus, q.SearchQuery)
	if err != nil {
		return err
	}
	found.SearchResult = words
	params["nearest"] = vectorsWithin * max(1, q.Near)
	if err := s.read(ctx, cypher.ReadNodesWithin, corpus, q.Within.params(params), eachRow(found.take)); err != nil {
		return err
	}
	sortHits(found.EntityVectors)
	found.EntityVectors = found.EntityVectors[:min(len(found.EntityVectors), max(1, q.Near))]
	if !q.Hashed && len(q.Vector) > 0 {
		found.ChunkVectors, err = s.NearestWithin(ctx, corpus, q.Within, q.Vector, max(1, q.Near))
	}
	return err
}

// within adds what bounds the read. The chunks that were found go by another name.
func (q AroundQuery) within(params map[string]any) map[string]any {
	params["sources"], params["said"] = params["chunks"], saidMentions
	return q.Within.params(params)
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
