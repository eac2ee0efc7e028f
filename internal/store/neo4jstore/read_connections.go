package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// StrongestRelationships reads at most limit relationships between entities of some types, or of any type
// if none is given, those with most mentions first.
func (s *Store) StrongestRelationships(ctx context.Context, corpus string, types []string, limit int) ([]graph.Relationship, error) {
	return readAll(ctx, s, readStrongestRelationships, corpus, map[string]any{"types": listOrEmpty(types), "limit": limit}, "read the strongest relationships")
}

// Paths reads how two entities are connected: by the relationship between them, by the strongest paths
// over one other entity, at most limit, and, if there is neither, by a path over two others. Each path
// is its relationships from the first entity to the second; shorter paths come first.
func (s *Store) Paths(ctx context.Context, corpus, from, to string, limit int) ([][]graph.Relationship, error) {
	params := map[string]any{"from": from, "to": to, "limit": limit}
	found, err := rowsAs(ctx, s, readPaths, corpus, params, func(row pathsRow) []graph.Relationship { return row.Relationships })
	return found, wrap(err, "read the paths between two entities of corpus "+corpus)
}
