package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
)

// WithPages returns the store with pages of at most n rows.
func (s *Store) WithPages(n int) *Store {
	c := *s
	c.pageRows = n
	return &c
}

// KeepBytes sets how much memory the records of members may take that the reader keeps.
func (r *ReportReader) KeepBytes(n int) { r.records.most = n }

// AdjacencyByScan is Adjacency by count, read in pages of a scan; 0 pages read from entity
// to entity.
func (s *Store) AdjacencyByScan(ctx context.Context, corpus string, pages int) (Adjacency, error) {
	all, err := s.entities(ctx, corpus)
	if err != nil {
		return Adjacency{}, err
	}
	return s.adjacency(ctx, corpus, cypher.ReadAdjacencyCount, all, pages)
}

// NamedPoints returns the names of the write transactions that contain the name of a stage or of an
// artifact.
func NamedPoints() (points []string) {
	for _, m := range markedKinds() {
		points = append(points, "mark "+m.Stage)
	}
	for _, s := range artifactSpecs() {
		if s.property != "" {
			points = append(points, string(s.name)+" settings")
		}
	}
	return points
}
