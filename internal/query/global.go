package query

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/lang"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
)

var _ = register(Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over those that matter: questions about the whole",
	answer:  answerGlobal,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, e *Engine, q Question, generation int64) (Answer, error) {
	var a Answer
	var notes []string
	var reports, closest []neo4jstore.ReportRow
	var err error
	if q.Dynamic {
		var s *selector
		if s, closest, err = e.selectReports(ctx, q, generation); err != nil {
			return Answer{}, err
		}
		reports, notes, a.Selection = s.kept, s.notes, &s.out
	} else {
		reports, err = e.store.ReportsOfView(ctx, e.options.Corpus, generation, q.Level.Number())
		closest = reports
	}
	if err != nil {
		return Answer{}, err
	}
	if len(closest) == 0 {
		return Answer{}, e.noReports(ctx)
	}
	selection := a.Selection
	a, err = e.mapReports(ctx, q, reports, closest)
	a.Selection, a.Notes = selection, append(a.Notes, notes...)
	return a, err
}

// mapReports answers from reports; where they say nothing it names the closest.
func (e *Engine) mapReports(ctx context.Context, q Question, reports, closest []neo4jstore.ReportRow) (Answer, error) {
	var d draft
	if len(reports) > 0 {
		blocks := reportBlocks(reports)
		rank.Shuffle(q.Seed, blocks)
		var err error
		if d, err = e.synthesis().mapReduce(ctx, q, blocks); err != nil {
			return Answer{}, err
		}
	}
	if len(d.statements) == 0 && !d.written {
		a := nothingSpeaks(q, d, closest)
		a.Notes = d.notes
		return a, nil
	}
	return e.finish(ctx, d, true)
}

// reportBlocks weighs each report by its size among the others.
func reportBlocks(reports []neo4jstore.ReportRow) []block {
	largest := 1
	for _, r := range reports {
		largest = max(largest, r.Size)
	}
	blocks := make([]block, len(reports))
	for i, r := range reports {
		weight := math.Log(1+float64(r.Size)) / math.Log(1+float64(largest))
		blocks[i] = block{key: r.Key, kind: graph.KindReport, title: r.Title, text: r.FullContent, tokens: r.NTokens, statements: reportStatements(r.Report, weight)}
	}
	return blocks
}

// noReports explains why there is nothing to read.
func (e *Engine) noReports(ctx context.Context) error {
	counts, err := e.store.Counts(ctx, e.options.Corpus)
	if err != nil {
		return err
	}
	switch {
	case counts.Documents == 0:
		return fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", e.options.Corpus, ErrNotIndexed)
	case counts.Relationships == 0 && counts.Entities > 0:
		return fmt.Errorf("corpus %s: %w: no relationships were found, so there are no communities to report on; ask with --method basic", e.options.Corpus, ErrNotIndexed)
	default:
		return fmt.Errorf("corpus %s: %w: its reports are not written yet; run `neorag index PATH` again to go on, or ask with --method basic", e.options.Corpus, ErrNotIndexed)
	}
}

// closestReports is how many reports an empty answer names.
const closestReports = 3

// nothingSpeaks answers a question that no report speaks to, and names the
// reports that are closest to it, or else the largest.
func nothingSpeaks(q Question, d draft, reports []neo4jstore.ReportRow) Answer {
	titles := make([]statement, len(reports))
	texts := make([]string, len(reports))
	for i, r := range reports {
		titles[i] = statement{text: r.Title, group: r.Key, target: reference(r)}
		texts[i] = told(r)
	}
	focus := lang.NewFocus(lang.ReadQuestion(q.Text), texts)
	for i, r := range reports {
		titles[i].score = focus.Score(texts[i]) + 1e-6*float64(r.Size)
	}
	closest := choose(titles, approximateTokens, q.AnswerTokens, 1)
	var names []string
	for _, s := range closest[:min(closestReports, len(closest))] {
		names = append(names, "“"+titled(s.text)+"”")
	}
	said := "No report of this corpus speaks to the question."
	if d.lost > 0 {
		said = "No report that could be read speaks to the question."
	}
	return Answer{
		Answer: said + " The closest ones are about " + strings.Join(names, ", ") + ".",
		Usage:  d.usage(),
	}
}

// told is what a report says, without the explanation of its rating.
func told(r neo4jstore.ReportRow) string {
	parts := []string{r.Title, r.Summary}
	for _, f := range r.Findings {
		parts = append(parts, f.Summary, f.Explanation)
	}
	return strings.Join(parts, "\n")
}
