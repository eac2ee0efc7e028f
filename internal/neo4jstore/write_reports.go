package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A ReportWrite is a report of a community.
type ReportWrite struct {
	Community string
	ReportFP  string
	Unchanged bool         // only the mark goes
	Report    graph.Report // its key and generation are made here
	Terms     string
	EmbedFP   string
	Vector    []float32 // without one, and without a fingerprint of it, the report is marked to be embedded
	Failed    string    // why this report only stands in for another: the mark stays
}

// WriteReports writes reports that will be visible from generation next on,
// which is the one after the visible one. The report that a community has ends
// with it; one that was written for next before is replaced. The parent of a
// community with a new report is marked.
func (l *Writer) WriteReports(ctx context.Context, next int64, rows []ReportWrite) error {
	c, err := l.store.Corpus(ctx, l.corpus)
	if err != nil {
		return err
	}
	if next != c.Generation+1 {
		return fmt.Errorf("write reports of corpus %s: they are for generation %d, but %d is visible", l.corpus, next, c.Generation)
	}
	rows = sortedBy(rows, func(r ReportWrite) string { return r.Community })
	weight := func(r ReportWrite) int {
		return len(r.Report.FullContent)*2 + len(r.Terms) + 9*len(r.Vector) + 200*len(r.Report.References) + documentBytes/writeRows
	}
	return batches(rows, documentBytes, weight, func(part []ReportWrite) error {
		reports, err := l.reportRowsOf(part, next)
		if err != nil {
			return err
		}
		return l.write(ctx, "reports", func(tx *transaction) error { return l.writeReports(ctx, tx, reports, next) })
	})
}

// reportRows are the rows of a transaction.
type reportRows struct {
	unchanged, reports, findings []any
	failed                       []any
	cites, findingCites          map[graph.Kind][]any
}

func (l *Writer) reportRowsOf(part []ReportWrite, next int64) (*reportRows, error) {
	r := &reportRows{cites: map[graph.Kind][]any{}, findingCites: map[graph.Kind][]any{}}
	for i := range part {
		w := &part[i]
		if w.Unchanged {
			r.unchanged = append(r.unchanged, map[string]any{"key": w.Community})
			continue
		}
		key := graph.ReportKey(l.corpus, w.Community, next)
		var vector any
		if len(w.Vector) > 0 {
			list, err := vectorOf(w.Vector, 0)
			if err != nil {
				return nil, fmt.Errorf("write vector of the report of %s: %w", w.Community, err)
			}
			vector = list
		}
		var todo any
		if vector == nil && w.EmbedFP == "" {
			todo = l.corpus
		}
		r.reports = append(r.reports, map[string]any{"key": w.Community, "report": key, "fp": w.ReportFP, "set": map[string]any{
			"key": key, "corpus": l.corpus, "since": next, "level": w.Report.Level, "final": w.Report.Final, "size": w.Report.Size,
			"weight": w.Report.Weight, "title": w.Report.Title, "summary": w.Report.Summary, "full_content": w.Report.FullContent,
			"rating": w.Report.Rating, "rating_explanation": w.Report.RatingExplanation, "model": optional(w.Report.Model),
			"n_tokens": w.Report.NTokens, "terms": w.Terms, "embedding": vector, "embed_fp": optional(w.EmbedFP), "todo_embed": todo,
		}})
		if w.Failed != "" {
			r.failed = append(r.failed, map[string]any{"key": w.Community, "reason": text.Shorten(text.OneLine(w.Failed), errorRunes)})
		}
		for _, ref := range w.Report.References {
			if !slices.Contains(citable, ref.Kind) {
				return nil, fmt.Errorf("write report of %s: it cites a %q, which cannot be cited", w.Community, ref.Kind)
			}
			r.cites[ref.Kind] = append(r.cites[ref.Kind], map[string]any{"key": key, "target": ref.Key, "n": ref.N})
		}
		r.addFindings(l.corpus, key, &w.Report)
	}
	return r, nil
}

func (r *reportRows) addFindings(corpus, report string, from *graph.Report) {
	for order, f := range from.Findings {
		key := graph.FindingKey(corpus, report, order)
		r.findings = append(r.findings, map[string]any{"key": key, "report": report, "set": map[string]any{
			"key": key, "corpus": corpus, "order": order, "summary": f.Summary, "explanation": f.Explanation,
			"name": caption(f.Summary, 0, len(f.Summary), captionRunes),
		}})
		numbers := citedNumbers(f.Summary + " " + f.Explanation)
		for _, ref := range from.References {
			if numbers[ref.N] {
				r.findingCites[ref.Kind] = append(r.findingCites[ref.Kind], map[string]any{"key": key, "target": ref.Key, "n": ref.N})
			}
		}
	}
}

// citedNumbers are the numbers in square brackets: [3], or [3, 5].
func citedNumbers(text string) map[int]bool {
	numbers := map[int]bool{}
	var list []int
	inside, n, digits := false, 0, false
	for _, r := range text {
		switch {
		case r == '[':
			inside, list, n, digits = true, nil, 0, false
		case !inside:
		case r >= '0' && r <= '9' && n < 1_000_000:
			n, digits = 10*n+int(r-'0'), true
		case r == ',' || r == ']':
			if digits {
				list = append(list, n)
			}
			n, digits = 0, false
			if r == ']' {
				for _, n := range list {
					numbers[n] = true
				}
				inside = false
			}
		case r != ' ':
			inside = false
		}
	}
	return numbers
}

func (l *Writer) writeReports(ctx context.Context, tx *transaction, r *reportRows, next int64) error {
	if err := tx.rows(ctx, cypher.WriteUnmarked.For("Community", "report"), l.corpus, r.unchanged, true); err != nil || len(r.reports) == 0 {
		return err
	}
	if err := tx.each(ctx, cypher.WriteReportsReplaced, l.corpus, map[string]any{"rows": r.reports, "next": next}, nil); err != nil {
		return err
	}
	for _, step := range []struct {
		statement cypher.Statement
		rows      []any
		counted   bool
	}{
		{cypher.WriteFindingsGone, r.reports, false},
		{cypher.WriteReports, r.reports, true},
		{cypher.WriteFindings, r.findings, true},
	} {
		if err := tx.rows(ctx, step.statement, l.corpus, step.rows, step.counted); err != nil {
			return err
		}
	}
	for _, kind := range citable {
		if err := tx.rows(ctx, cypher.WriteReportCites.For(string(kind)), l.corpus, r.cites[kind], true); err != nil {
			return err
		}
		if err := tx.rows(ctx, cypher.WriteFindingCites.For(string(kind)), l.corpus, r.findingCites[kind], true); err != nil {
			return err
		}
	}
	if err := tx.rows(ctx, cypher.WriteFailed.For("Community", "report"), l.corpus, r.failed, false); err != nil {
		return err
	}
	return tx.each(ctx, cypher.WriteGenerationNext, l.corpus, map[string]any{"next": next}, nil)
}

// citable are the kinds that reports and findings may cite.
var citable = []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport, graph.KindChunk}
