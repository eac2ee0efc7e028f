package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// WriteSynonyms writes the edges of entities to their synonyms, and removes their marks of the
// stage synonyms.
func (w *Writer) WriteSynonyms(ctx context.Context, entities []Linked) error {
	return w.writeLinks(ctx, "synonyms", linkStatements{cypher.WriteSynonymsOutdated, cypher.WriteSynonyms, cypher.WriteSynonymsFound}, entities)
}

// WriteNameVectors writes vectors of the names of entities. All must have the given dimension
// and a norm above zero.
func (w *Writer) WriteNameVectors(ctx context.Context, dimension int, rows []Embedded) error {
	rows = sortedBy(rows, func(r Embedded) string { return r.Key })
	weight := func(r Embedded) int { return 9*len(r.Vector) + vectorBytes/writeRows }
	return batches(rows, vectorBytes, weight, func(part []Embedded) error {
		var changed []any
		for _, r := range part {
			vector, err := optionalVector(r.Vector, dimension)
			if err != nil {
				return fmt.Errorf("write vector of the name of %s: %w", r.Key, err)
			}
			changed = append(changed, map[string]any{"key": r.Key, "fp": optional(r.EmbedFP), "vector": vector})
		}
		return w.write(ctx, "name vectors", func(tx *transaction) error {
			return tx.rows(ctx, cypher.WriteNameVectors, w.corpus, changed, true)
		})
	})
}

// synonymsGone is the step that deletes the synonym edges of entities in the transaction that
// renames them or deletes those that nothing mentions. name returns the name that an entity gets,
// nil if it may be deleted.
func (o DeriveOptions) synonymsGone(keys []string, name func(key string) any) (step rowStep) {
	if o.Synonyms == 0 {
		return step
	}
	rows := make([]any, len(keys))
	for i, key := range keys {
		rows[i] = map[string]any{"key": key, "name": name(key), "full": o.Synonyms}
	}
	return rowStep{cypher.WriteSynonymsGone, rows, false}
}
