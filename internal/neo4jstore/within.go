package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
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

// NearestInScope finds the chunks whose vectors are nearest, of those that w
// allows. It compares every one of them, so that none is missed.
func (s *Store) NearestInScope(ctx context.Context, corpus string, w *Scope, vector []float32, limit int) ([]Hit, error) {
	if w == nil {
		return s.SearchVector(ctx, corpus, graph.KindChunk, vector, limit)
	}
	doubles, err := unitless(vector)
	if err != nil {
		return nil, fmt.Errorf("searching vectors of corpus %s: %w", corpus, err)
	}
	params := w.params(keyRange(corpus, "", limit))
	params["vector"] = doubles
	return s.byCosine(ctx, cypher.ReadSearchVectorWithin, corpus, params)
}

// ChunkRowPageInScope is ChunkRowPage for the chunks that w allows.
func (s *Store) ChunkRowPageInScope(ctx context.Context, corpus string, w *Scope, after string, limit int) ([]ChunkRow, error) {
	if w == nil {
		return s.ChunkRowPage(ctx, corpus, after, limit)
	}
	return s.chunkRows(ctx, cypher.ReadChunkRowPageWithin, corpus, w.params(keyRange(corpus, after, limit)))
}

// ReportsInScope tells which reports of a level view rest on chunks that w
// allows: by the report's key the numbers of what it cites that does, ascending.
func (s *Store) ReportsInScope(ctx context.Context, corpus string, w *Scope, generation int64, level int) (map[string][]int, error) {
	out := map[string][]int{}
	params := w.params(map[string]any{"generation": generation, "level": level})
	err := s.read(ctx, cypher.ReadReportsWithin, corpus, params, eachRow(func(v values) {
		numbers, _ := v["numbers"].([]any)
		list := make([]int, 0, len(numbers))
		for _, n := range numbers {
			if n, ok := n.(int64); ok {
				list = append(list, int(n))
			}
		}
		slices.Sort(list)
		out[v.text("key")] = list
	}))
	return out, wrapped(err, "reading the reports of corpus "+corpus)
}
