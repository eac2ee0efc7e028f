package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A ReportRow is a report with its findings, its references and its community, without
// the members of the community.
type ReportRow struct {
	graph.Report
	Community graph.Community
}

// ReportsOfView reads the reports of a level view that are valid in the generation:
// reports of the communities at that level, and of communities nearer to the root that have no
// children (final), so that each clustered entity is covered once. If the hierarchy is
// not that deep, they are the reports of all communities without children. The order is
// level, then ordinal.
func (s *Store) ReportsOfView(ctx context.Context, corpus string, generation int64, level int) ([]ReportRow, error) {
	return s.reportsOfView(ctx, readReportsOfView, corpus, generation, level)
}

// ReportTextsOfView is ReportsOfView without summaries, findings and references, which a
// model does not need and which are half of the data.
func (s *Store) ReportTextsOfView(ctx context.Context, corpus string, generation int64, level int) ([]ReportRow, error) {
	return s.reportsOfView(ctx, readReportTextsOfView, corpus, generation, level)
}

// A closestReport is a report with the size of its level view.
type closestReport struct {
	ReportRow

	Reports, Tokens int
}

// ClosestReports reads at most limit reports of a level view as ReportTextsOfView does: the ones with
// the highest scores by key, then the largest. The size is the size of the whole view.
func (s *Store) ClosestReports(ctx context.Context, corpus string, generation int64, level int, scores map[string]float64, limit int) ([]ReportRow, ReportSize, error) {
	var reports []ReportRow
	view := ReportSize{Level: level}
	params := map[string]any{"generation": generation, "level": level, "scores": scores, "limit": limit}
	err := eachRow(ctx, s, readClosestReports, corpus, params, func(row closestReport) {
		reports = append(reports, row.complete())
		view.Count, view.Tokens = row.Reports, row.Tokens
	})
	if err != nil {
		return nil, view, fmt.Errorf("read the closest reports of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(reports, byPlace)
	return reports, view, nil
}

func (s *Store) reportsOfView(ctx context.Context, st typed[ReportRow], corpus string, generation int64, level int) ([]ReportRow, error) {
	params := map[string]any{"generation": generation, "level": level}
	reports, err := rowsAs(ctx, s, st, corpus, params, ReportRow.complete)
	if err != nil {
		return nil, fmt.Errorf("read reports of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(reports, byPlace)
	return reports, nil
}

// byPlace orders reports by level, then ordinal.
func byPlace(a, b ReportRow) int {
	return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Community.Ordinal, b.Community.Ordinal), cmp.Compare(a.Key, b.Key))
}

// complete returns the row with what community and report have in common.
func (r ReportRow) complete() ReportRow {
	r.Community.Key, r.Community.Weight, r.Community.Final = r.Report.Community, r.Weight, r.Final
	return r
}

// ReportsBelow reads the reports of the children of communities that are valid in the
// generation, in the order of ReportsOfView.
func (s *Store) ReportsBelow(ctx context.Context, corpus string, generation int64, communities []string) ([]ReportRow, error) {
	return s.reportsBy(ctx, readReportsBelow, corpus, generation, communities)
}

// ReportsOf reads the reports of communities that are valid in the generation, in the
// order of ReportsOfView. A community without a report is skipped.
func (s *Store) ReportsOf(ctx context.Context, corpus string, generation int64, communities []string) ([]ReportRow, error) {
	return s.reportsBy(ctx, readReportsOf, corpus, generation, communities)
}

func (s *Store) reportsBy(ctx context.Context, st typed[ReportRow], corpus string, generation int64, communities []string) ([]ReportRow, error) {
	if len(communities) == 0 {
		return nil, nil
	}
	reports, err := rowsAs(ctx, s, st, corpus, map[string]any{"generation": generation, "keys": communities}, ReportRow.complete)
	if err != nil {
		return nil, fmt.Errorf("read reports of %d communities of corpus %s: %w", len(communities), corpus, err)
	}
	slices.SortFunc(reports, byPlace)
	return reports, nil
}

// ReportList reads at most limit reports that are valid in the generation, with keys
// after the given one, in key order, without summary, text, findings and references.
func (s *Store) ReportList(ctx context.Context, corpus string, generation int64, after string, limit int) ([]ReportRow, error) {
	params := map[string]any{"generation": generation, "after": after, "limit": limit}
	reports, err := rowsAs(ctx, s, readReportList, corpus, params, ReportRow.complete)
	if err != nil {
		return nil, fmt.Errorf("list reports of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(reports, func(a, b ReportRow) int { return cmp.Compare(a.Key, b.Key) })
	return reports, nil
}

// ReportTexts reads complete reports by key, in key order, without their communities.
// Keys that do not exist are skipped.
func (s *Store) ReportTexts(ctx context.Context, corpus string, keys []string) ([]graph.Report, error) {
	return readAll(ctx, s, readReportTexts, corpus, map[string]any{"keys": keys}, "read reports")
}

// ReportsInScope finds the reports of a level view with a citation that chunks of the
// scope support: they are cited, or mention or state the cited node, or support a cited
// report. The result maps the key of a report to the sorted numbers of these citations.
func (s *Store) ReportsInScope(ctx context.Context, corpus string, w *Scope, generation int64, level int) (map[string][]int, error) {
	out := map[string][]int{}
	params := w.params(map[string]any{"generation": generation, "level": level})
	err := eachRow(ctx, s, readReportsInScope, corpus, params, func(row reportsInScopeRow) {
		slices.Sort(row.Numbers)
		out[row.Key] = row.Numbers
	})
	return out, wrap(err, "read reports of corpus "+corpus)
}

// Unreported counts the communities that are valid in generation next and have no report
// that is valid in it.
func (s *Store) Unreported(ctx context.Context, corpus string, next int64) (int, error) {
	n, err := s.countPages(ctx, readUnreported, corpus, map[string]any{"generation": next})
	return n, wrap(err, "count communities without a report of corpus "+corpus)
}
