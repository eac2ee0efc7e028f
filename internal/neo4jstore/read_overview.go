package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// MostMentioned reads at most limit entities of some types, or of any if there are none, those that
// most chunks mention first.
func (s *Store) MostMentioned(ctx context.Context, corpus string, types []string, limit int) ([]graph.Entity, error) {
	params := map[string]any{"types": append([]string{}, types...), "limit": limit}
	found, err := rows(ctx, s, cypher.ReadMostMentioned, corpus, params, func(v values) graph.Entity { return entityOf(v, v.sub("node")) })
	return found, wrap(err, "read the most mentioned entities of corpus "+corpus)
}

// A DocumentSpan is how many documents there are, and their first and last dates, "" if none has one.
type DocumentSpan struct {
	Documents   int
	First, Last string
}

// DocumentSpan reads the span of the documents of a corpus.
func (s *Store) DocumentSpan(ctx context.Context, corpus string) (DocumentSpan, error) {
	found, err := rows(ctx, s, cypher.ReadDocumentSpan, corpus, nil, func(v values) DocumentSpan {
		return DocumentSpan{v.int("documents"), v.text("first"), v.text("last")}
	})
	if err != nil || len(found) == 0 {
		return DocumentSpan{}, wrap(err, "read the dates of corpus "+corpus)
	}
	return found[0], nil
}
