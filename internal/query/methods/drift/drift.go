// Package drift starts from the reports closest to the question and asks follow-up questions
// (GraphRAG, section 6.2).
package drift

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/methods/hyde"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "drift",
	Summary: "starts from the closest reports and asks follow-up questions: broad questions that need details",
	Profile: query.Profile{
		Reads: "the closest reports, then asks follow-up questions as `local` does",
		Use:   "broad questions that need details",
		Needs: []query.Artifact{query.Reports},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.GraphRAG("6.2"),
		Calls: "2 to 8, and 1 if a model embeds",
		Cost:  query.CostOf(8, 8, 16199, 21887, 1320, 2521),
	},
	Traces:  []query.Trace{FollowUps{}, hyde.Passages{}},
	Prompts: []string{prompts.Drift, prompts.DriftFollow, prompts.HyDE},
	Settings: []query.Setting{
		query.OwnSetting("drift", "max_calls", func(s *Settings, n int) { s.MaxCalls = n }),
		query.OwnSetting("drift", "max_tokens", func(s *Settings, n int) { s.MaxTokens = n }),
		query.OwnSetting("drift", "passages", func(s *Settings, n int) { s.Passages = n }),
	},
	Shared: []string{"seed", "map-tokens"},
	Rounds: true,
	Answer: answerDrift,
})

// Settings are the settings of drift. The zero value has the defaults.
type Settings struct {
	MaxCalls  int // without a model, follow-up questions; 0 means 8
	MaxTokens int // of all contexts together; 0 means 20,000
	Passages  int // that the model writes to search for, at most 8; 0 means 1
}

// maxPrimerReports is the number of reports that drift starts from.
const maxPrimerReports = 12

// A finding is what one call of drift, or one search without a model, found.
type finding struct {
	synth.Reading

	next []FollowUp
}

// notes are the follow-up questions that were asked before, and the points that were found.
type notes struct{ asked, found []string }

// An explorer reads for drift: by a model, or by choosing sentences.
type explorer interface {
	// prime reads the reports that drift starts from.
	prime(ctx context.Context, question string, reports []neo4jstore.ReportRow) (finding, error)
	// follow reads what was found for a follow-up question. before is what the search knows.
	follow(ctx context.Context, question string, f FollowUp, before notes, blocks []synth.Block) (finding, error)
	// conclude answers from all findings; asked[i] led to findings[i+1].
	conclude(ctx context.Context, r synth.Request, findings []finding, asked []FollowUp) (synth.Draft, error)
}

func explorerOf(r query.Request) explorer {
	if r.Options.Model != nil {
		return driftModel{r.Generative()}
	}
	return driftOffline{}
}

// answerDrift is DRIFT search (section 6.2 of the GraphRAG paper): it reads the
// reports closest to the question, looks up what they leave open, the most
// promising first, and answers from all of it.
func answerDrift(ctx context.Context, r query.Request) (query.Answer, error) {
	hierarchy, ok := r.Reader.Hierarchy()
	if !ok {
		return query.Answer{}, fmt.Errorf("%w: drift takes no filters and only one corpus", query.ErrFilter)
	}
	settings := query.SettingsOf[Settings](r.Question, "drift")
	var passages, notes []string
	var err error
	if r.Options.Model != nil && hierarchy.HasVectors() {
		if passages, notes, err = hyde.WritePassages(ctx, r, settings.Passages); err != nil {
			return query.Answer{}, err
		}
	}
	reports, more, err := primerReports(ctx, r, hierarchy, passages)
	if err != nil {
		return query.Answer{}, err
	}
	notes = append(notes, more...)
	x := explorerOf(r)
	first, err := x.prime(ctx, r.Text, reports)
	if err != nil {
		return query.Answer{}, err
	}
	d := &driftSearch{
		Request: r, explorer: x, notes: notes, findings: []finding{first}, calls: 1,
		maxCalls: cmp.Or(settings.MaxCalls, driftCalls), maxTokens: cmp.Or(settings.MaxTokens, driftTokens), known: cite.Known{},
	}
	d.count(first.Blocks)
	d.push(first.next, 1)
	if err := d.run(ctx); err != nil {
		return query.Answer{}, err
	}
	draft, err := x.conclude(ctx, r.Synthesis(), d.findings, d.asked)
	if err != nil {
		return query.Answer{}, err
	}
	draft.Blocks, draft.Tokens = d.items, d.tokens
	draft.Notes = append(draft.Notes, d.notes...)
	a, err := r.Complete(ctx, draft, query.Completion{
		Headings: true, Known: d.known,
		Reports: func() ([]neo4jstore.ReportRow, error) { return reports, nil },
	})
	if err != nil {
		return query.Answer{}, err
	}
	if len(passages) > 0 {
		a.Traces = append(a.Traces, hyde.Passages(passages))
	}
	if len(d.asked) > 0 {
		a.Traces = append(a.Traces, FollowUps(d.asked))
	}
	return a, nil
}

// primerReports finds the reports that are most relevant to the question, and to passages that
// could answer it, on any level, none of which contains another, as many as fit into a map
// window. For an overview question, or one for which no report is relevant, they are the largest
// roots.
func primerReports(ctx context.Context, r query.Request, hierarchy retrieve.Hierarchy, passages []string) ([]neo4jstore.ReportRow, []string, error) {
	relevance, notes, err := hierarchy.Relevance(ctx, r.Text, passages...)
	if err != nil {
		return nil, nil, err
	}
	var reports []neo4jstore.ReportRow
	if keys := relevance.Top(maxPrimerReports); len(keys) > 0 && !route.IsOverview(textproc.ReadQuestion(r.Text)) {
		if reports, err = hierarchy.Of(ctx, keys); err != nil {
			return nil, nil, err
		}
		slices.SortStableFunc(reports, func(a, b neo4jstore.ReportRow) int {
			return slices.Index(keys, a.Community.Key) - slices.Index(keys, b.Community.Key)
		})
	}
	if len(reports) == 0 {
		if reports, err = hierarchy.Roots(ctx); err != nil {
			return nil, nil, err
		}
		relevance.Sort(reports, true)
		reports = reports[:min(maxPrimerReports, len(reports))]
	}
	tokens := make([]int, len(reports))
	for i, report := range reports {
		tokens[i] = report.NTokens
	}
	var fitting []neo4jstore.ReportRow
	for _, i := range rank.Pack(tokens, min(r.MapTokens, primerTokens)).Kept {
		fitting = append(fitting, reports[i])
	}
	if len(fitting) == 0 {
		fitting = reports[:1]
	}
	return fitting, notes, nil
}

// A FollowUp is a question that drift asked to answer another.
type FollowUp struct {
	Question string  `json:"question"`
	Score    float64 `json:"score"` // 0 to 100, by which it was chosen
}

// FollowUps are the questions that drift asked, in their order.
type FollowUps []FollowUp

// TraceName is part of query.Trace.
func (FollowUps) TraceName() string { return "follow_ups" }

// Print prints the questions.
func (f FollowUps) Print(w io.Writer) {
	fmt.Fprintf(w, "\ndrift asked %d more questions:\n", len(f))
	for _, q := range f {
		fmt.Fprintf(w, "    %3.0f  %s\n", q.Score, q.Question)
	}
}
