package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

var _ = register(Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over those that matter: questions about the whole",
	answer:  answerGlobal,
	scoped:  true,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, r request) (Answer, error) {
	if r.Dynamic {
		return r.answerDynamic(ctx)
	}
	read := r.reader.Reports
	if r.options.Model != nil {
		read = r.reader.ReportBodies
	}
	reports, err := r.reports(ctx, read)
	if err != nil {
		return Answer{}, err
	}
	return r.mapReports(ctx, reports, func() ([]neo4jstore.ReportRow, error) {
		if r.options.Model == nil || r.reader.Filtered() {
			return reports, nil // whole already
		}
		return r.reports(ctx, r.reader.Reports)
	})
}

// reports reads the reports of the question's level.
func (r request) reports(ctx context.Context, read func(ctx context.Context, level int) ([]neo4jstore.ReportRow, error)) ([]neo4jstore.ReportRow, error) {
	reports, err := read(ctx, r.Level.Number())
	if errors.Is(err, ErrNoReportInScope) {
		return nil, fmt.Errorf("%w %s: %w; ask with --method basic", ErrFilter, r.Filter, err)
	}
	return reports, err
}

// mapReports answers from reports; where they say nothing it names the closest.
func (r request) mapReports(ctx context.Context, reports []neo4jstore.ReportRow,
	closest func() ([]neo4jstore.ReportRow, error),
) (Answer, error) {
	var d draft
	if len(reports) > 0 {
		blocks := reportBlocks(reports)
		if r.reader.Filtered() {
			keepCited(blocks)
		}
		rank.Shuffle(r.Seed, blocks)
		var err error
		if d, err = r.synthesis().mapReduce(ctx, r.Question, blocks); err != nil {
			return Answer{}, err
		}
	}
	if len(d.statements) == 0 && !d.written {
		near, err := closest()
		if err != nil {
			return Answer{}, err
		}
		a := nothingSpeaks(r.Question, d, near)
		a.Notes = d.notes
		return a, nil
	}
	return r.finish(ctx, d, true)
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
	focus := textproc.NewFocus(textproc.ReadQuestion(q.Text), texts)
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
