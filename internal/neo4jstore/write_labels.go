package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// EntityLabels are the communities that an entity is in. All empty: none.
type EntityLabels struct {
	Key         string
	Labels      []string
	Communities []int64 // ordinals, one per level
	Community   string  // label at level 0
}

// WriteLabels writes the community labels of entities and takes those away
// that no longer hold. What did not change is not written.
func (l *Writer) WriteLabels(ctx context.Context, rows []EntityLabels) error {
	rows = sortedBy(rows, func(r EntityLabels) string { return r.Key })
	return batches(rows, writeRows, eachOne, func(part []EntityLabels) error {
		sent := make([]any, len(part))
		for i, r := range part {
			communities := r.Communities
			if communities == nil {
				communities = []int64{}
			}
			sent[i] = map[string]any{"key": r.Key, "labels": texts(r.Labels), "communities": communities, "community": r.Community}
		}
		return l.write(ctx, "labels", func(tx *transaction) error {
			return tx.rows(ctx, cypher.WriteLabels, l.corpus, sent, false)
		})
	})
}

// LabelledEntities reads at most limit entities that carry community labels or
// numbers, whose keys follow after, in key order.
func (s *Store) LabelledEntities(ctx context.Context, corpus, after string, limit int) ([]EntityLabels, error) {
	found, err := rows(ctx, s, cypher.ReadLabelledEntities, corpus, keyRange(corpus, after, limit), func(v values) EntityLabels {
		e := EntityLabels{Key: v.text("key"), Labels: v.texts("labels"), Community: v.text("community")}
		list, _ := v["communities"].([]any)
		for _, item := range list {
			n, _ := item.(int64)
			e.Communities = append(e.Communities, n)
		}
		return e
	})
	if err != nil {
		return nil, fmt.Errorf("read labels of corpus %s: %w", corpus, err)
	}
	return found, nil
}

// RecordLabelled notes that the labels show the generation.
func (l *Writer) RecordLabelled(ctx context.Context, generation int64) error {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil || c.Labelled == generation {
		return err
	}
	return l.set(ctx, "labelled", map[string]any{"labelled": generation})
}
