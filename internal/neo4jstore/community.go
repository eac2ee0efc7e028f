package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// An Edge joins two entities by their positions in Adjacency.Keys.
type Edge struct {
	Source int32
	Target int32
	Weight int
}

// Adjacency is the graph of entities that have a relationship.
type Adjacency struct {
	Keys  []string // sorted
	Edges []Edge   // by source, then target
}

// Adjacency reads the edges between entities.
func (s *Store) Adjacency(ctx context.Context, corpus string, weight string) (Adjacency, error) {
	return Adjacency{}, errors.ErrUnsupported
}

// Communities lists the communities that are valid in the generation.
func (s *Store) Communities(ctx context.Context, corpus string, generation int64, members bool) ([]graph.Community, error) {
	return nil, errors.ErrUnsupported
}

// OpenGeneration writes a hierarchy beside the visible one.
func (l *Lane) OpenGeneration(ctx context.Context, all []graph.Community) (int64, error) {
	return 0, errors.ErrUnsupported
}

// Clustered notes that the communities fit the topology.
func (l *Lane) Clustered(ctx context.Context, topology int64) error { return errors.ErrUnsupported }
