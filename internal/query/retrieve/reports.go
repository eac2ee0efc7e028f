package retrieve

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Reports reads the complete reports of a level view of every corpus. With a filter, it
// reads only the reports that cite something in the scope, and of their references only
// those to nodes in the scope. It returns ErrNotIndexed for a corpus without reports, and
// ErrNoReportInScope if the filter excludes all reports. The reader must be pinned.
func (r Reader) Reports(ctx context.Context, level int) ([]neo4jstore.ReportRow, error) {
	return r.reports(ctx, level, r.Store.ReportsOfView)
}

// ReportBodies is Reports for a model: without summaries, findings and
// references, unless a filter needs them.
func (r Reader) ReportBodies(ctx context.Context, level int) ([]neo4jstore.ReportRow, error) {
	if r.Filtered() {
		return r.Reports(ctx, level)
	}
	return r.reports(ctx, level, r.Store.ReportTextsOfView)
}

func (r Reader) reports(ctx context.Context, level int,
	read func(ctx context.Context, corpus string, generation int64, level int) ([]neo4jstore.ReportRow, error),
) ([]neo4jstore.ReportRow, error) {
	var all []neo4jstore.ReportRow
	for _, c := range r.Corpora {
		own, err := read(ctx, c.Name, c.Generation, level)
		if err != nil {
			return nil, err
		}
		if len(own) == 0 {
			return nil, r.noReports(ctx, c.Name)
		}
		if c.Filter != nil {
			numbers, err := r.Store.ReportsInScope(ctx, c.Name, c.Filter, c.Generation, level)
			if err != nil {
				return nil, err
			}
			own = citing(own, numbers)
		}
		all = append(all, own...)
	}
	if len(all) == 0 {
		return nil, ErrNoReportInScope
	}
	return all, nil
}

// citing keeps the reports that cite something by one of their numbers, and
// of their references only those.
func citing(reports []neo4jstore.ReportRow, numbers map[string][]int) []neo4jstore.ReportRow {
	var out []neo4jstore.ReportRow
	for _, r := range reports {
		r.References = slices.DeleteFunc(slices.Clone(r.References), func(ref graph.Reference) bool {
			return !slices.Contains(numbers[r.Key], ref.N)
		})
		if len(r.References) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// noReports explains why a corpus has no reports.
func (r Reader) noReports(ctx context.Context, corpus string) error {
	counts, err := r.Store.Counts(ctx, corpus)
	if err != nil {
		return err
	}
	switch {
	case counts.Documents == 0:
		return Lacks("corpus " + corpus + " has no documents: run `neorag index PATH`")
	case counts.Relationships == 0 && counts.Entities > 0:
		return Lacks("corpus " + corpus + " has no reports, because no relationships were found: ask with --method basic")
	case counts.Entities == 0:
		return Lacks("corpus " + corpus + " has no reports, because no entities were found: without a model, rules find none in languages that they do not know; index with a model, or ask with --method basic")
	default:
		return Lacks("corpus " + corpus + " has no reports, or not all: they are still to be written, or were left out; run `neorag index PATH` without --without reports to write them, or ask with --method basic")
	}
}
