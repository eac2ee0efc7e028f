package neo4jstore

import (
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// EntityLabels are the communities of an entity; all fields except the key are empty if
// it has none.
type EntityLabels struct {
	Key         string
	Labels      []string
	Communities []int64 // ordinals, one per level
	Community   string  // label at level 0
}

// Equal reports whether two entities have the same labels and communities.
func (e EntityLabels) Equal(o EntityLabels) bool {
	return e.Key == o.Key && e.Community == o.Community && slices.Equal(e.Labels, o.Labels) && slices.Equal(e.Communities, o.Communities)
}

// WriteLabels replaces the community labels of entities. Unchanged ones are not written.
func (w *Writer) WriteLabels(ctx context.Context, rows []EntityLabels) error {
	sent := make([]any, len(rows))
	for i, r := range rows {
		sent[i] = map[string]any{"key": r.Key, "labels": listOrEmpty(r.Labels), "communities": listOrEmpty(r.Communities), "community": r.Community}
	}
	return w.writeSorted(ctx, "labels", rowStep{cypher.WriteLabels, sent, false})
}

// LabelledEntities reads at most limit entities with community labels or numbers and keys
// after the given one, in key order. Only an empty page is the last one.
func (s *Store) LabelledEntities(ctx context.Context, corpus, after string, limit int) ([]EntityLabels, error) {
	found, err := pageOfRows(ctx, s, readLabelledEntities, corpus, keyRange(corpus, after, limit), limit)
	return found, wrap(err, "read labels of corpus "+corpus)
}

// RecordLabelled records that the labels are up to date with the generation.
func (w *Writer) RecordLabelled(ctx context.Context, generation int64) error {
	same := func(c Corpus) bool { return c.Labelled == generation }
	return w.setUnless(ctx, "labelled", same, map[string]any{"labelled": generation})
}
