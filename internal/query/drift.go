package query

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

var _ = Register(Method{
	Name:    "drift",
	Summary: "starts from the closest reports and asks follow-up questions: broad questions that need details",
	Profile: Profile{
		Reads: "the closest reports, then asks follow-up questions as `local` does",
		Use:   "broad questions that need details",
		Needs: []Artifact{Reports},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(graphRAG, "6.2"),
		Calls: "2 to 8, and 1 if a model embeds",
		Cost:  Cost{Calls: Range{8, 8}, TokensIn: Range{19800, 24100}, TokensOut: Range{1280, 3200}},
	},
	Answer: answerDrift,
})

// maxPrimerReports is the number of reports that drift starts from.
const maxPrimerReports = 12

// A FollowUp is a question that drift asked to answer another.
type FollowUp struct {
	Question string  `json:"question"`
	Score    float64 `json:"score"` // 0 to 100, by which it was chosen
}

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

func (r Request) explorer() explorer {
	if r.Options.Model != nil {
		return driftModel{r.Generative()}
	}
	return driftOffline{}
}

// answerDrift is DRIFT search (section 6.2 of the GraphRAG paper): it reads the
// reports closest to the question, looks up what they leave open, the most
// promising first, and answers from all of it.
func answerDrift(ctx context.Context, r Request) (Answer, error) {
	hierarchy, ok := r.Reader.Hierarchy()
	if !ok {
		return Answer{}, fmt.Errorf("%w: drift takes no filters and only one corpus", ErrFilter)
	}
	var passages, notes []string
	var err error
	if r.Options.Model != nil && hierarchy.HasVectors() {
		if passages, notes, err = r.passages(ctx); err != nil {
			return Answer{}, err
		}
	}
	reports, more, err := r.primerReports(ctx, hierarchy, passages)
	if err != nil {
		return Answer{}, err
	}
	notes = append(notes, more...)
	x := r.explorer()
	first, err := x.prime(ctx, r.Text, reports)
	if err != nil {
		return Answer{}, err
	}
	d := &driftSearch{
		Request: r, explorer: x, notes: notes, findings: []finding{first}, calls: 1,
		known: cite.Known{},
	}
	d.count(first.Blocks)
	d.push(first.next, 1)
	if err := d.run(ctx); err != nil {
		return Answer{}, err
	}
	draft, err := x.conclude(ctx, r.Synthesis(), d.findings, d.asked)
	if err != nil {
		return Answer{}, err
	}
	draft.Blocks, draft.Tokens = d.items, d.tokens
	draft.Notes = append(draft.Notes, d.notes...)
	a, err := r.Complete(ctx, draft, Completion{
		Headings: true, Known: d.known,
		Reports: func() ([]neo4jstore.ReportRow, error) { return reports, nil },
	})
	if err != nil {
		return Answer{}, err
	}
	a.FollowUps, a.Passages = d.asked, passages
	return a, nil
}

// primerReports finds the reports that are most relevant to the question, and to passages that
// could answer it, on any level, none of which contains another, as many as fit into a map
// window. For an overview question, or one for which no report is relevant, they are the largest
// roots.
func (r Request) primerReports(ctx context.Context, hierarchy retrieve.Hierarchy, passages []string) ([]neo4jstore.ReportRow, []string, error) {
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
	items := make([]rank.Item, len(reports))
	for i, report := range reports {
		items[i] = rank.Item{Key: report.Key, Tokens: report.NTokens}
	}
	var fitting []neo4jstore.ReportRow
	for _, i := range rank.Pack(items, min(r.MapTokens, primerTokens)).Kept {
		fitting = append(fitting, reports[i])
	}
	if len(fitting) == 0 {
		fitting = reports[:1]
	}
	return fitting, notes, nil
}
