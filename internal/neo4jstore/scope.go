package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// Scope says which chunks a read may find. Nil stands for all.
type Scope struct {
	Documents []string // keys of their documents
	Chunks    []string // keys of those that are meant; nil for all of these documents
}

// params adds the parameters documents and chunks: null where all are meant.
func (w *Scope) params(to map[string]any) map[string]any {
	to["documents"], to["chunks"] = w.Documents, nil
	if w.Chunks != nil {
		to["chunks"] = w.Chunks
	}
	return to
}

// A DocumentName is a document as a filter sees it.
type DocumentName struct{ Key, URI string }

// DocumentsBetween reads at most limit documents, whose keys follow after, dated
// since a day and before another, in key order. An empty day bounds nothing; a
// document without a date is in no span that is bounded.
func (s *Store) DocumentsBetween(ctx context.Context, corpus, since, until, after string, limit int) ([]DocumentName, error) {
	params := keyRange(corpus, after, limit)
	params["since"], params["until"] = since, until
	found, err := rows(ctx, s, cypher.ReadScopeDocuments, corpus, params, func(v values) DocumentName {
		return DocumentName{v.text("key"), v.text("uri")}
	})
	return found, wrapped(err, "reading documents of corpus "+corpus)
}

// A ChunkName is a chunk with the key of its document.
type ChunkName struct{ Key, Document string }

// ChunksMentioning reads at most limit chunks, whose keys follow after, that
// mention an entity of one of the types, in key order.
func (s *Store) ChunksMentioning(ctx context.Context, corpus string, types []string, after string, limit int) ([]ChunkName, error) {
	params := keyRange(corpus, after, limit)
	params["types"] = types
	found, err := rows(ctx, s, cypher.ReadScopeChunks, corpus, params, func(v values) ChunkName {
		return ChunkName{v.text("key"), v.text("document")}
	})
	return found, wrapped(err, "reading chunks of corpus "+corpus)
}

// Dates are those of the documents of a corpus.
type Dates struct {
	Documents, Dated int
	First, Last      string // empty where none has a date
}

// Dates reads how far the dates of a corpus reach.
func (s *Store) Dates(ctx context.Context, corpus string) (Dates, error) {
	params := keyRange(corpus, "", 0)
	found, err := rows(ctx, s, cypher.ReadScopeDates, corpus, params, func(v values) Dates {
		return Dates{v.int("documents"), v.int("dated"), v.text("first"), v.text("last")}
	})
	if err != nil || len(found) == 0 {
		return Dates{}, wrapped(err, "reading dates of corpus "+corpus)
	}
	return found[0], nil
}

// EntityTypes reads the types of entities in lower case, the most frequent
// first, at most limit.
func (s *Store) EntityTypes(ctx context.Context, corpus string, limit int) ([]string, error) {
	found, err := rows(ctx, s, cypher.ReadScopeTypes, corpus, keyRange(corpus, "", limit), func(v values) string { return v.text("type") })
	return found, wrapped(err, "reading types of corpus "+corpus)
}

func wrapped(err error, doing string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
