package neo4jstore

import (
	"context"
	"fmt"
)

// A Scope selects the chunks that a read may find. A nil *Scope selects all.
type Scope struct {
	Documents []string // keys of their documents
	Chunks    []string // keys of chunks of these documents; nil for all of them
}

// params adds the parameters documents and chunks. Both are null for a nil scope, and chunks is
// null for all chunks of the documents.
func (w *Scope) params(to map[string]any) map[string]any {
	to["documents"], to["chunks"] = nil, nil
	if w == nil {
		return to
	}
	to["documents"] = w.Documents
	if w.Chunks != nil {
		to["chunks"] = w.Chunks
	}
	return to
}

// A DocumentName is what a filter needs of a document.
type DocumentName struct{ Key, URI string }

// DocumentsBetween reads at most limit documents with keys after the given one, dated
// on or after since and before until, in key order. An empty day sets no bound; a
// document without a date is not in any bounded period.
func (s *Store) DocumentsBetween(ctx context.Context, corpus, since, until, after string, limit int) ([]DocumentName, error) {
	params := keyRange(corpus, after, limit)
	params["since"], params["until"] = since, until
	return readAll(ctx, s, readScopeDocuments, corpus, params, "read documents")
}

// A ChunkName is the key of a chunk and the key of its document.
type ChunkName struct{ Key, Document string }

// ChunksMentioning reads at most limit chunks with keys after the given one that
// mention an entity of one of the types, in key order.
func (s *Store) ChunksMentioning(ctx context.Context, corpus string, types []string, after string, limit int) ([]ChunkName, error) {
	params := keyRange(corpus, after, limit)
	params["types"] = types
	return readAll(ctx, s, readScopeChunks, corpus, params, "read chunks")
}

// Dates summarises the dates of the documents of a corpus.
type Dates struct {
	Documents, Dated int
	First, Last      string // empty if no document has a date
}

// Dates reads the range of dates of a corpus.
func (s *Store) Dates(ctx context.Context, corpus string) (Dates, error) {
	dates, err := firstRow(ctx, s, readScopeDates, corpus, keyRange(corpus, "", 0), nil)
	return dates, wrap(err, "read dates of corpus "+corpus)
}

// EntitiesOfTypes returns the keys of the entities that have one of the types.
func (s *Store) EntitiesOfTypes(ctx context.Context, corpus string, keys, types []string) ([]string, error) {
	if len(keys) == 0 || len(types) == 0 {
		return nil, nil
	}
	return readAll(ctx, s, readEntitiesOfTypes, corpus, map[string]any{"keys": keys, "types": types}, "read the types of entities")
}

// EntityTypes reads at most limit types of entities, in lower case, the most frequent
// first.
func (s *Store) EntityTypes(ctx context.Context, corpus string, limit int) ([]string, error) {
	found, err := rowsAs(ctx, s, readScopeTypes, corpus, keyRange(corpus, "", limit), func(row scopeTypesRow) string { return row.Type })
	return found, wrap(err, "read types of corpus "+corpus)
}

// countedTypes bounds the types that EntityTypeCounts reads.
const countedTypes = 10_000

// EntityTypeCounts returns how many entities have each type.
func (s *Store) EntityTypeCounts(ctx context.Context, corpus string) (map[string]int, error) {
	n := map[string]int{}
	err := eachRow(ctx, s, readScopeTypes, corpus, keyRange(corpus, "", countedTypes), func(row scopeTypesRow) { n[row.Type] = row.N })
	return n, wrap(err, "count types of corpus "+corpus)
}

// wrap adds the operation to an error, unless it is nil.
func wrap(err error, operation string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
