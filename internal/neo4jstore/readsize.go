package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// ReportsBelow reads the reports of the children of communities that are valid
// in the generation, in the order of ReportsOfView.
func (s *Store) ReportsBelow(ctx context.Context, corpus string, generation int64, communities []string) ([]ReportRow, error) {
	return s.reportsBy(ctx, cypher.ReadReportsBelow, corpus, generation, communities)
}

// ReportsOf reads the reports of communities that are valid in the generation,
// in the order of ReportsOfView. A community without one is left out.
func (s *Store) ReportsOf(ctx context.Context, corpus string, generation int64, communities []string) ([]ReportRow, error) {
	return s.reportsBy(ctx, cypher.ReadReportsOf, corpus, generation, communities)
}

func (s *Store) reportsBy(ctx context.Context, st cypher.Statement, corpus string, generation int64, communities []string) ([]ReportRow, error) {
	if len(communities) == 0 {
		return nil, nil
	}
	reports, err := rows(ctx, s, st, corpus, map[string]any{"generation": generation, "keys": communities}, reportRow)
	if err != nil {
		return nil, fmt.Errorf("reading the reports of %d communities of corpus %s: %w", len(communities), corpus, err)
	}
	slices.SortFunc(reports, byPlace)
	return reports, nil
}

// A ReportSize is how many reports a level has, and their tokens. Those without
// children, which stand in the views of deeper levels too, are counted apart.
type ReportSize struct {
	Level  int
	Final  bool
	Count  int
	Tokens int
}

// ReportSizes measures the reports that are valid in the generation, by level.
func (s *Store) ReportSizes(ctx context.Context, corpus string, generation int64) ([]ReportSize, error) {
	sizes, err := rows(ctx, s, cypher.ReadReportSizes, corpus, map[string]any{"generation": generation}, func(v values) ReportSize {
		return ReportSize{Level: v.int("level"), Final: v.flag("final"), Count: v.int("count"), Tokens: v.int("tokens")}
	})
	if err != nil {
		return nil, fmt.Errorf("measuring the reports of corpus %s: %w", corpus, err)
	}
	return sizes, nil
}

// ChunkSize counts the chunks of a corpus and their tokens, overlaps included.
func (s *Store) ChunkSize(ctx context.Context, corpus string) (count, tokens int, err error) {
	err = s.read(ctx, cypher.ReadChunkSizes, corpus, nil, eachRow(func(v values) {
		count, tokens = v.int("count"), v.int("tokens")
	}))
	if err != nil {
		return 0, 0, fmt.Errorf("measuring the chunks of corpus %s: %w", corpus, err)
	}
	return count, tokens, nil
}
