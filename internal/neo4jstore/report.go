package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// A ReportContext is all that lies inside a community.
type ReportContext struct {
	Community     graph.Community
	ReportFP      string
	Entities      []graph.Entity
	Relationships []graph.Relationship
	Claims        []graph.Claim
	Children      []ChildReport
}

// A ChildReport is the report of a child community with that one's members.
type ChildReport struct {
	Report  graph.Report
	Members []string
}

// A ReportWrite is a report of a community.
type ReportWrite struct {
	Community string
	ReportFP  string
	Unchanged bool         // only the mark goes
	Report    graph.Report // its key and generation are made here
	Terms     string
	EmbedFP   string
	Vector    []float32
}

// PendingReports reads at most limit marked communities of a level after the key given.
func (s *Store) PendingReports(ctx context.Context, corpus string, generation int64, level int, after string, limit int) ([]graph.Community, error) {
	return nil, errors.ErrUnsupported
}

// ReportContexts reads what lies inside communities.
func (s *Store) ReportContexts(ctx context.Context, corpus string, generation int64, communities []graph.Community) ([]ReportContext, error) {
	return nil, errors.ErrUnsupported
}

// WriteReports writes reports that will be valid from generation next on.
func (l *Lane) WriteReports(ctx context.Context, next int64, rows []ReportWrite) error {
	return errors.ErrUnsupported
}

// Unreported counts the communities that have no report in generation next.
func (s *Store) Unreported(ctx context.Context, corpus string, next int64) (int, error) {
	return 0, errors.ErrUnsupported
}

// Flip makes generation next the visible one.
func (l *Lane) Flip(ctx context.Context, next int64, topology int64) error {
	return errors.ErrUnsupported
}
