package neo4jstore

import (
	"context"
	"errors"
)

// EntityLabels are the communities that an entity is in.
type EntityLabels struct {
	Key         string
	Labels      []string
	Communities []int64 // ordinals, one per level
	Community   string  // label at level 0
}

// WriteLabels writes the community labels of entities.
func (l *Lane) WriteLabels(ctx context.Context, rows []EntityLabels) error {
	return errors.ErrUnsupported
}

// LabelledEntities reads entities that carry community labels, in key order.
func (s *Store) LabelledEntities(ctx context.Context, corpus, after string, limit int) ([]EntityLabels, error) {
	return nil, errors.ErrUnsupported
}

// Labelled notes that the labels show the generation.
func (l *Lane) Labelled(ctx context.Context, generation int64) error { return errors.ErrUnsupported }
