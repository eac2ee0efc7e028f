package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A ReportWrite is the report of a community.
type ReportWrite struct {
	Community    string
	ReportFP     string  // of everything that is stored
	ReadsFP      string  // of what the report is written from
	Unchanged    bool    // only remove the mark, and set Stale if StaleChanged
	Stale        float64 // how much of the context is new since the report was written, from 0 to 1
	StaleChanged bool
	Records      []int64      // of the context, to find Stale later
	Report       graph.Report // its key and generation are ignored
	Terms        string
	EmbedFP      string
	Vector       []float32 // without vector and EmbedFP, the report is marked to be embedded
	Failed       string    // why this is only a replacement report; the mark stays
}

// WriteReports writes reports that will be visible from generation next, which is the one
// after the visible one. The current report of a community is valid until next; a report
// that was already written for next is replaced. The parent of a community with a new
// report is marked.
func (w *Writer) WriteReports(ctx context.Context, next int64, rows []ReportWrite) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return err
	}
	if next != c.Generation+1 {
		return fmt.Errorf("write reports of corpus %s for generation %d: the visible generation is %d", w.corpus, next, c.Generation)
	}
	rows = sortedBy(rows, func(r ReportWrite) string { return r.Community })
	weight := func(r ReportWrite) int {
		return len(r.Report.FullContent)*2 + len(r.Terms) + 9*len(r.Vector) + 200*len(r.Report.References) + documentBytes/writeRows
	}
	return batches(rows, documentBytes, weight, func(part []ReportWrite) error {
		reports, err := w.reportRowsOf(part, next)
		if err != nil {
			return err
		}
		return w.write(ctx, "reports", func(tx *transaction) error { return w.writeReports(ctx, tx, reports, next) })
	})
}

// reportRows are the rows of a transaction.
type reportRows struct {
	unchanged, stale, reports, findings []any
	failed                              []any
	cites, findingCites                 map[graph.Kind][]any
}

func (w *Writer) reportRowsOf(part []ReportWrite, next int64) (*reportRows, error) {
	r := &reportRows{cites: map[graph.Kind][]any{}, findingCites: map[graph.Kind][]any{}}
	for i := range part {
		row := &part[i]
		if row.Unchanged {
			r.unchanged = append(r.unchanged, map[string]any{"key": row.Community})
			if row.StaleChanged {
				r.stale = append(r.stale, map[string]any{"key": row.Community, "stale": optional(row.Stale)})
			}
			continue
		}
		key := graph.ReportKey(w.corpus, row.Community, next)
		vector, err := optionalVector(row.Vector, 0)
		if err != nil {
			return nil, fmt.Errorf("write vector of the report of %s: %w", row.Community, err)
		}
		var todo any
		if vector == nil && row.EmbedFP == "" {
			todo = w.corpus
		}
		r.reports = append(r.reports, map[string]any{"key": row.Community, "report": key, "fp": row.ReportFP, "vector": vector, "set": map[string]any{
			"key": key, "corpus": w.corpus, "since": next, "level": row.Report.Level, "final": row.Report.Final, "size": row.Report.Size,
			"weight": row.Report.Weight, "title": row.Report.Title, "summary": row.Report.Summary, "full_content": row.Report.FullContent,
			"rating": row.Report.Rating, "rating_explanation": row.Report.RatingExplanation, "model": optional(row.Report.Model),
			"n_tokens": row.Report.NTokens, "terms": row.Terms, "embed_fp": optional(row.EmbedFP), "todo_embed": todo,
			"reads_fp": optional(row.ReadsFP), "stale": optional(row.Stale), "records": optionalList(row.Records),
		}})
		if row.Failed != "" {
			r.failed = append(r.failed, map[string]any{"key": row.Community, "reason": text.Shorten(text.OneLine(row.Failed), errorRunes)})
		}
		for _, ref := range row.Report.References {
			if !slices.Contains(citable, ref.Kind) {
				return nil, fmt.Errorf("write report of %s: a %q cannot be cited", row.Community, ref.Kind)
			}
			r.cites[ref.Kind] = append(r.cites[ref.Kind], map[string]any{"key": key, "target": ref.Key, "n": ref.N})
		}
		r.addFindings(w.corpus, key, &row.Report)
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

// citedNumbers returns the numbers in square brackets: [3], or [3, 5].
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

func (w *Writer) writeReports(ctx context.Context, tx *transaction, r *reportRows, next int64) error {
	if err := tx.steps(ctx, w.corpus, []rowStep{
		{cypher.WriteDone.For("Community", "report"), r.unchanged, true},
		{cypher.WriteReportsStale, r.stale, false},
	}); err != nil || len(r.reports) == 0 {
		return err
	}
	if next > 1 { // else no community has a report of an earlier generation
		if err := tx.each(ctx, cypher.WriteReportsReplaced, w.corpus, map[string]any{"rows": r.reports, "next": next}, nil); err != nil {
			return err
		}
	}
	steps := []rowStep{
		{cypher.WriteFindingsGone, r.reports, false},
		{cypher.WriteReports, r.reports, true},
		{cypher.WriteFindings, r.findings, true},
	}
	for _, kind := range citable {
		steps = append(steps,
			rowStep{cypher.WriteReportCites.For(string(kind)), r.cites[kind], true},
			rowStep{cypher.WriteFindingCites.For(string(kind)), r.findingCites[kind], true})
	}
	steps = append(steps, rowStep{cypher.WriteFailed.For("Community", "report"), r.failed, false})
	if err := tx.steps(ctx, w.corpus, steps); err != nil {
		return err
	}
	return tx.each(ctx, cypher.WriteGenerationNext, w.corpus, map[string]any{"next": next}, nil)
}

// citable are the kinds that reports and findings can cite.
var citable = []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport, graph.KindChunk}
