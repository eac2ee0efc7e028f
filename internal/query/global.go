package query

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

var _ = register(Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over those that matter: questions about the whole",
	answer:  answerGlobal,
	bounded: true,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, e *Engine, q Question, generation int64) (Answer, error) {
	if q.Dynamic {
		return e.answerDynamic(ctx, q, generation)
	}
	read := e.store.ReportsOfView
	brief := e.options.Model != nil && e.only == nil
	if brief {
		read = e.store.ReportTextsOfView
	}
	reports, err := e.reports(ctx, q, generation, read)
	if err != nil {
		return Answer{}, err
	}
	return e.mapReports(ctx, q, reports, func() ([]neo4jstore.ReportRow, error) {
		if brief {
			return e.reports(ctx, q, generation, e.store.ReportsOfView)
		}
		return reports, nil
	})
}

// mapReports answers from reports; where they say nothing it names the closest.
func (e *Engine) mapReports(ctx context.Context, q Question, reports []neo4jstore.ReportRow,
	closest func() ([]neo4jstore.ReportRow, error),
) (Answer, error) {
	var d draft
	if len(reports) > 0 {
		blocks := reportBlocks(reports)
		if e.only != nil {
			keepCited(blocks)
		}
		rank.Shuffle(q.Seed, blocks)
		var err error
		if d, err = e.synthesis().mapReduce(ctx, q, blocks); err != nil {
			return Answer{}, err
		}
	}
	if len(d.statements) == 0 && !d.written {
		near, err := closest()
		if err != nil {
			return Answer{}, err
		}
		a := nothingSpeaks(q, d, near)
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
		blocks[i] = reportBlock(r, weight)
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
		return fmt.Errorf("corpus %s: %w: its reports are not written yet, or were left out; run `neorag index PATH` without --without reports to write them, or ask with --method basic", e.options.Corpus, ErrNotIndexed)
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
	focus := textproc.NewSentenceScorer(textproc.ReadQuestion(q.Text), texts)
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

// A reader reads the reports of a level view of a corpus, whole or what a model
// reads of them.
type reader func(ctx context.Context, corpus string, generation int64, level int) ([]neo4jstore.ReportRow, error)

// reports are those of the level view of every corpus. With a filter they are
// the ones that rest on what it leaves, with what they cite of it.
func (e *Engine) reports(ctx context.Context, q Question, generation int64, read reader) ([]neo4jstore.ReportRow, error) {
	var all []neo4jstore.ReportRow
	for _, part := range e.parts() {
		if e.joined != nil {
			var err error
			if generation, err = part.generation(ctx); err != nil {
				return nil, err
			}
		}
		own, err := read(ctx, part.options.Corpus, generation, q.Level.Number())
		if err != nil {
			return nil, err
		}
		if len(own) == 0 {
			return nil, part.noReports(ctx)
		}
		if part.only != nil {
			numbers, err := e.store.ReportsInScope(ctx, part.options.Corpus, part.only, generation, q.Level.Number())
			if err != nil {
				return nil, err
			}
			own = restingOn(own, numbers)
		}
		all = append(all, own...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w %s: %w; ask with --method basic", ErrFilter, q.Filter, errNoneRests)
	}
	return all, nil
}

// restingOn keeps the reports that cite something by one of their numbers, and
// of what they cite only that.
func restingOn(reports []neo4jstore.ReportRow, numbers map[string][]int) []neo4jstore.ReportRow {
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

// keepCited leaves of reports the sentences that cite something which is left,
// also for a model that reads them.
func keepCited(blocks []block) {
	for i := range blocks {
		b := &blocks[i]
		b.said = slices.DeleteFunc(b.statements(), func(s statement) bool { return len(s.inner) == 0 })
		b.text = b.title + "\n"
		for _, s := range b.said {
			b.text += "\n" + s.text
		}
		b.tokens = min(b.tokens, approximateTokens(b.text))
	}
}
