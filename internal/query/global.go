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
	Summary: "map-reduce over the community reports of one level: questions about the whole",
	answer:  answerGlobal,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, e *Engine, q Question, generation int64) (Answer, error) {
	reports, err := e.store.ReportsOfView(ctx, e.options.Corpus, generation, q.Level.Number())
	if err != nil {
		return Answer{}, err
	}
	if len(reports) == 0 {
		return Answer{}, e.noReports(ctx)
	}
	blocks := reportBlocks(reports)
	rank.Shuffle(q.Seed, blocks)
	d, err := e.synthesis().mapReduce(ctx, q, blocks)
	if err != nil {
		return Answer{}, err
	}
	if len(d.statements) == 0 && !d.written {
		a := nothingSpeaks(q, d, reports)
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
		texts[i] = r.Title + " " + r.FullContent
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
	return Answer{
		Answer: "No report of this corpus speaks to the question. The closest ones are about " + strings.Join(names, ", ") + ".",
		Usage:  d.usage(),
	}
}
