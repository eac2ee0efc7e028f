package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// An EntityDescribe is what an entity's description is made of.
type EntityDescribe struct {
	Key        string
	Name       string
	Type       string
	DescribeFP string
	Mentions   [][]string // descriptions of each mention
}

// A RelationshipDescribe is what a relationship's description is made of.
type RelationshipDescribe struct {
	Key        string
	Source     string
	Target     string
	SourceName string
	TargetName string
	DescribeFP string
	Keywords   []string
	Mentions   [][]string // descriptions of each mention
}

// Described is a description with its index terms.
type Described struct {
	Key         string
	DescribeFP  string
	Unchanged   bool // only the mark goes
	Description string
	Terms       string
	NTokens     int
}

// PendingDescribeEntities reads marked entities after the key given, until
// their mentions reach the budget.
func (s *Store) PendingDescribeEntities(ctx context.Context, corpus, after string, mentions int) ([]EntityDescribe, error) {
	return nil, errors.ErrUnsupported
}

// PendingDescribeRelationships reads marked relationships after the key given,
// until their mentions reach the budget.
func (s *Store) PendingDescribeRelationships(ctx context.Context, corpus, after string, mentions int) ([]RelationshipDescribe, error) {
	return nil, errors.ErrUnsupported
}

// WriteDescriptions writes the descriptions of entities or relationships.
func (l *Lane) WriteDescriptions(ctx context.Context, kind graph.Kind, rows []Described) error {
	return errors.ErrUnsupported
}
