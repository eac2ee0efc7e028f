package neo4jstore

import (
	"context"
	"errors"
)

// RelationshipMentionProps is what one chunk says of a relationship.
type RelationshipMentionProps struct {
	Descriptions []string
	Keywords     []string
	Strength     int
	Count        int
	Forward      int
}

// RelationshipEvidence is what a relationship's values are derived from.
type RelationshipEvidence struct {
	Key      string
	Source   string
	Target   string
	DeriveFP string
	Mentions []RelationshipMentionProps
}

// RelationshipDerived is the values of a relationship.
type RelationshipDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only the mark goes
	Weight    int
	Strength  int
	Keywords  []string
}

// EntityMentionProps is what one chunk says of an entity.
type EntityMentionProps struct {
	Names        []string
	Types        []string
	Descriptions []string
}

// EntityEvidence is what an entity's values are derived from.
type EntityEvidence struct {
	Key      string
	DeriveFP string
	Name     string
	Type     string
	Degree   int
	Mentions []EntityMentionProps
}

// EntityDerived is the values of an entity.
type EntityDerived struct {
	Key       string
	DeriveFP  string
	Unchanged bool // only the mark goes
	Name      string
	Type      string
	TypeLabel string // empty for none
	Degree    int
	Frequency int
}

// PendingDeriveRelationships reads marked relationships after the key given,
// until their mentions reach the budget.
func (s *Store) PendingDeriveRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipEvidence, error) {
	return nil, errors.ErrUnsupported
}

// WriteRelationships writes values and deletes relationships without mentions.
func (l *Lane) WriteRelationships(ctx context.Context, rows []RelationshipDerived, gone []string) error {
	return errors.ErrUnsupported
}

// PendingDeriveEntities reads marked entities after the key given, until their
// mentions reach the budget.
func (s *Store) PendingDeriveEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityEvidence, error) {
	return nil, errors.ErrUnsupported
}

// WriteEntities writes values and deletes entities without mentions.
func (l *Lane) WriteEntities(ctx context.Context, rows []EntityDerived, gone []string) error {
	return errors.ErrUnsupported
}
