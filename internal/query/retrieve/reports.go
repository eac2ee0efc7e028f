package retrieve

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// closestReports is how many reports of a corpus are read for a context that has no room for all.
const closestReports = 48

// Reports reads the complete reports of a level view of every corpus. With a filter, it
// reads only the reports that cite something in the scope, and of their references only
// the ones to nodes in the scope. It returns ErrNotIndexed for a corpus that has documents and no reports, or if
// no corpus has any, and ErrNoReportInScope if the filter excludes all reports. The reader must be pinned.
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

// CheckReports returns the error of Reports without a filter, and reads one report of each corpus.
func (r Reader) CheckReports(ctx context.Context, level int) error {
	_, err := r.reports(ctx, level, func(ctx context.Context, corpus string, generation int64, level int) ([]neo4jstore.ReportRow, error) {
		reports, _, err := r.Store.ClosestReports(ctx, corpus, generation, level, nil, 1)
		return reports, err
	})
	return err
}

// ClosestReports is ReportBodies for a context of a number of tokens. If the reports of all corpora
// together have more, it reads only the ones that are closest to the question by its words, and
// the largest, at most 48 of each corpus. The size is the size of all reports.
func (r Reader) ClosestReports(ctx context.Context, level int, question string, tokens int) ([]neo4jstore.ReportRow, neo4jstore.ReportSize, error) {
	whole := neo4jstore.ReportSize{Level: level}
	if r.Filtered() {
		reports, err := r.Reports(ctx, level)
		return reports, whole, err
	}
	lucene := textproc.ReadQuestion(question).Lucene()
	closest, err := r.reports(ctx, level, func(ctx context.Context, corpus string, generation int64, level int) ([]neo4jstore.ReportRow, error) {
		hits, err := r.Store.SearchTerms(ctx, corpus, []graph.Kind{graph.KindReport}, lucene, reportHits)
		if err != nil {
			return nil, err
		}
		scores := make(map[string]float64, len(hits))
		for _, h := range hits {
			scores[h.Key] = h.Score
		}
		reports, view, err := r.Store.ClosestReports(ctx, corpus, generation, level, scores, closestReports)
		whole.Count += view.Count
		whole.Tokens += view.Tokens
		return reports, err
	})
	if err == nil && whole.Tokens <= tokens && whole.Count > len(closest) {
		closest, err = r.ReportBodies(ctx, level)
	}
	return closest, whole, err
}

func (r Reader) reports(ctx context.Context, level int,
	read func(ctx context.Context, corpus string, generation int64, level int) ([]neo4jstore.ReportRow, error),
) ([]neo4jstore.ReportRow, error) {
	var all []neo4jstore.ReportRow
	var empty error // of a corpus without documents
	found := false
	for _, c := range r.Corpora {
		own, err := read(ctx, c.Name, c.Generation, level)
		if err != nil {
			return nil, err
		}
		if len(own) == 0 {
			if empty, err = r.noReports(ctx, c.Name); err != nil {
				return nil, err
			}
			continue
		}
		found = true
		if c.Filter != nil {
			numbers, err := r.Store.ReportsInScope(ctx, c.Name, c.Filter, c.Generation, level)
			if err != nil {
				return nil, err
			}
			own = citing(own, numbers)
		}
		all = append(all, own...)
	}
	switch {
	case !found:
		return nil, empty
	case len(all) == 0:
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

// noReports explains why a corpus has no reports: empty if it has no documents, else err.
func (r Reader) noReports(ctx context.Context, corpus string) (empty, err error) {
	counts, err := r.Store.Counts(ctx, corpus)
	if err != nil {
		return nil, err
	}
	switch {
	case counts.Documents == 0:
		return Lacks("corpus " + corpus + " has no documents: run `neorag index PATH`"), nil
	case counts.Relationships == 0 && counts.Entities > 0:
		return nil, Lacks("corpus " + corpus + " has no reports, because no relationships were found: ask with --method basic")
	case counts.Entities == 0:
		return nil, Lacks("corpus " + corpus + " has no reports, because no entities were found: without a model, rules find none in languages that they do not know; index with a model, or ask with --method basic")
	default:
		return nil, Lacks("corpus " + corpus + " has no reports, or not all: they are still to be written, or were left out; run `neorag index PATH` without --without reports to write them, or ask with --method basic")
	}
}
