// Package global answers from community reports by map-reduce (GraphRAG, section 3.1.6): from all of
// a level, or from those that a walk down the hierarchy chooses.
package global

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/overview"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over the relevant ones: questions about the whole",
	Profile: query.Profile{
		Reads: "all reports of one level",
		Use:   "questions about the whole: themes, trends",
		Needs: []query.Artifact{query.Reports},
		Paper: query.GraphRAG("3.1.6"),
		Calls: "1 for each 8,000 tokens of reports, and 1",
		Cost:  query.CostOf(3, 3, 7437, 7967, 335, 1402),
	},
	Maps:    true,
	Traces:  []query.Trace{Selection{}},
	Prompts: []string{prompts.Rate},
	Settings: []query.Setting{
		query.OwnSetting("global", "dynamic", func(s *Settings, on bool) { s.Dynamic = on }),
		query.OwnSetting("global", "max_calls", func(s *Settings, n int) { s.MaxCalls = n }),
	},
	Shared: []string{"level", "seed", "map-tokens"},
	Answer: answerGlobal,
	Scoped: true,
})

// Settings are the settings of global. The zero value has the defaults.
type Settings struct {
	// Dynamic chooses reports from the roots down to the level of the question, instead of reading
	// all of the level.
	Dynamic  bool
	MaxCalls int // that rate reports for Dynamic; 0 means 16
}

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, r query.Request) (query.Answer, error) {
	if query.SettingsOf[Settings](r.Question, "global").Dynamic {
		return answerDynamic(ctx, r)
	}
	o, err := overview.Read(ctx, r, overview.SearchNames(r))
	if err != nil {
		return query.Answer{}, err
	}
	if !o.Draft.Empty() {
		if err := r.Reader.CheckReports(ctx, r.Level.Number()); err != nil {
			return query.Answer{}, err
		}
		return r.Complete(ctx, o.Draft, query.Completion{Lead: o.Lead})
	}
	reports, view, err := reportsOfLevel(ctx, r)
	if err != nil {
		return query.Answer{}, scopeError(r, err)
	}
	return mapReports(ctx, r, reports, view, query.Completion{Lead: o.Lead, Reports: func() ([]neo4jstore.ReportRow, error) {
		all, err := r.Reader.Reports(ctx, r.Level.Number())
		return all, scopeError(r, err)
	}})
}

// reportsOfLevel reads the reports of the question's level or, if a context alone is asked for, the
// closest ones, with the size of the whole level.
func reportsOfLevel(ctx context.Context, r query.Request) (reports []neo4jstore.ReportRow, view synth.Size, err error) {
	level := r.Level.Number()
	if r.OnlyContext() {
		reports, size, err := r.Reader.ClosestReports(ctx, level, r.Text, r.ContextBudget(r.Tokens(0)))
		return reports, synth.Size{Blocks: size.Count, Tokens: size.Tokens}, err
	}
	read := r.Reader.Reports
	if r.ForModel() {
		read = r.Reader.ReportBodies
	}
	reports, err = read(ctx, level)
	return reports, synth.Size{}, err
}

// scopeError adds the filter and what to do to the error of a filter that excludes all reports.
func scopeError(r query.Request, err error) error {
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		return fmt.Errorf("%w %s: %w; ask with --method basic", query.ErrFilter, r.Filter, err)
	}
	return err
}

// mapReports answers from reports. The completion has how to read the reports of which the closest
// are named when none of them answers the question.
func mapReports(ctx context.Context, r query.Request, reports []neo4jstore.ReportRow, view synth.Size, c query.Completion) (query.Answer, error) {
	c.Headings = true
	var d synth.Draft
	if len(reports) > 0 {
		blocks := query.ReportBlocks(reports)
		if r.Reader.Filtered() {
			for i := range blocks {
				blocks[i].KeepCited()
			}
		}
		rank.Shuffle(r.Seed, blocks)
		request := r.Synthesis()
		request.Whole = view
		var err error
		if d, err = r.Synthesizer().MapReduce(ctx, request, blocks); err != nil {
			return query.Answer{}, err
		}
	}
	return r.Complete(ctx, d, c)
}

// A Selection is what dynamic selection read, compared with the level view that
// it replaces.
type Selection struct {
	Reports     int `json:"reports"` // that were chosen
	Tokens      int `json:"tokens"`
	Rated       int `json:"rated"` // whose titles and summaries a model rated
	RatedTokens int `json:"rated_tokens"`
	Calls       int `json:"calls"`        // to the model, for rating
	ViewReports int `json:"view_reports"` // of the whole level
	ViewTokens  int `json:"view_tokens"`
}

// TraceName is part of query.Trace.
func (Selection) TraceName() string { return "selection" }

// Print prints nothing: a note of the answer has the figures.
func (Selection) Print(io.Writer) {}
