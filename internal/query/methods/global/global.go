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
	read := r.Reader.Reports
	if r.ForModel() {
		read = r.Reader.ReportBodies
	}
	reports, err := readReports(ctx, r, read)
	if err != nil {
		return query.Answer{}, err
	}
	return mapReports(ctx, r, reports, func() ([]neo4jstore.ReportRow, error) { return readReports(ctx, r, r.Reader.Reports) })
}

// readReports reads the reports of the question's level.
func readReports(ctx context.Context, r query.Request, read func(ctx context.Context, level int) ([]neo4jstore.ReportRow, error)) ([]neo4jstore.ReportRow, error) {
	reports, err := read(ctx, r.Level.Number())
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		return nil, fmt.Errorf("%w %s: %w; ask with --method basic", query.ErrFilter, r.Filter, err)
	}
	return reports, err
}

// mapReports answers from reports. When none of them answers the question, whole
// reads the reports of which the closest are named.
func mapReports(ctx context.Context, r query.Request, reports []neo4jstore.ReportRow,
	whole func() ([]neo4jstore.ReportRow, error),
) (query.Answer, error) {
	var d synth.Draft
	c := query.Completion{Headings: true, Reports: whole}
	o, err := overview.Read(ctx, r, overview.SearchNames(r))
	if err != nil {
		return query.Answer{}, err
	}
	if c.Lead = o.Lead; !o.Draft.Empty() && !query.SettingsOf[Settings](r.Question, "global").Dynamic {
		return r.Complete(ctx, o.Draft, query.Completion{Lead: o.Lead})
	}
	if len(reports) > 0 {
		blocks := query.ReportBlocks(reports)
		if r.Reader.Filtered() {
			for i := range blocks {
				blocks[i].KeepCited()
			}
		}
		rank.Shuffle(r.Seed, blocks)
		if d, err = r.Synthesizer().MapReduce(ctx, r.Synthesis(), blocks); err != nil {
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
