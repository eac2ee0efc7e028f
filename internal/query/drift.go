package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/route"
	"github.com/neorag/neorag/internal/synth"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/textproc"
)

var _ = register(Method{
	Name:    "drift",
	Summary: "starts from the closest reports and asks follow-up questions: broad questions that need details",
	answer:  answerDrift,
})

const (
	maxPrimerReports  = 12 // that drift starts from
	followUpsPerRound = 4  // asked at the same time
	maxFollowUpDepth  = 3  // of a chain of follow-up questions
	followUpTokens    = 4000
	minContextTokens  = 200 // below which a context is not worth a call
)

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

// An explorer reads for drift: by a model, or by choosing sentences.
type explorer interface {
	// prime reads the reports that drift starts from.
	prime(ctx context.Context, question string, reports []neo4jstore.ReportRow) (finding, error)
	// follow reads what was found for a follow-up question.
	follow(ctx context.Context, question string, f FollowUp, blocks []synth.Block) (finding, error)
	// conclude answers from all findings; asked[i] led to findings[i+1].
	conclude(ctx context.Context, r synth.Request, findings []finding, asked []FollowUp) (synth.Draft, error)
}

func (r request) explorer() explorer {
	if r.options.Model != nil {
		return driftModel{r.generative()}
	}
	return driftOffline{}
}

// answerDrift is DRIFT search (section 6.2 of the GraphRAG paper): it reads the
// reports closest to the question, looks up what they leave open, the most
// promising first, and answers from all of it.
func answerDrift(ctx context.Context, r request) (Answer, error) {
	hierarchy, ok := r.reader.Hierarchy()
	if !ok {
		return Answer{}, fmt.Errorf("%w: drift takes no filters and only one corpus", ErrFilter)
	}
	reports, notes, err := r.primerReports(ctx, hierarchy)
	if err != nil {
		return Answer{}, err
	}
	x := r.explorer()
	first, err := x.prime(ctx, r.Text, reports)
	if err != nil {
		return Answer{}, err
	}
	d := &driftSearch{
		request: r, explorer: x, notes: notes, findings: []finding{first}, calls: 1,
		seen: map[string]bool{normalizedQuestion(r.Text): true}, known: cite.Known{},
	}
	d.count(first.Blocks)
	d.push(first.next, 1)
	if err := d.run(ctx); err != nil {
		return Answer{}, err
	}
	draft, err := x.conclude(ctx, r.synthesis(), d.findings, d.asked)
	if err != nil {
		return Answer{}, err
	}
	draft.Blocks, draft.Tokens = d.items, d.tokens
	draft.Notes = append(draft.Notes, d.notes...)
	a, err := r.complete(ctx, draft, completion{
		headings: true, known: d.known,
		reports: func() ([]neo4jstore.ReportRow, error) { return reports, nil },
	})
	if err != nil {
		return Answer{}, err
	}
	a.FollowUps = d.asked
	return a, nil
}

// primerReports finds the reports that are most relevant to the question on any
// level, none of which contains another, as far as they fit into a map window. A
// question about the whole, or one for which no report is relevant, starts at the
// largest roots.
func (r request) primerReports(ctx context.Context, hierarchy retrieve.Hierarchy) ([]neo4jstore.ReportRow, []string, error) {
	relevance, notes, err := hierarchy.Relevance(ctx, r.Text)
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
	for _, i := range rank.Pack(items, r.MapTokens).Kept {
		fitting = append(fitting, reports[i])
	}
	if len(fitting) == 0 {
		fitting = reports[:1]
	}
	return fitting, notes, nil
}

// A driftSearch is the state of one drift answer.
type driftSearch struct {
	request

	explorer explorer
	queue    []pendingFollowUp // best first
	seen     map[string]bool   // questions in normal form
	asked    []FollowUp
	findings []finding
	known    cite.Known // evidence that was read with the findings
	notes    []string
	calls    int // of the model, or searches without one
	items    int
	tokens   int // of the context read so far
	failed   int // follow-up questions
	reason   error
}

// A pendingFollowUp is a follow-up question that was not asked yet.
type pendingFollowUp struct {
	FollowUp

	depth int
}

// push adds follow-up questions to the queue, which is sorted by falling score,
// then depth. The seed decides between equals. A question that was seen before
// in words of the same stems is left out.
func (d *driftSearch) push(list []FollowUp, depth int) {
	list = slices.Clone(list)
	rank.Shuffle(d.Seed, list)
	for _, f := range list {
		norm := normalizedQuestion(f.Question)
		if f.Score <= 0 || depth > maxFollowUpDepth || norm == "" || d.seen[norm] {
			continue
		}
		d.seen[norm] = true
		d.queue = append(d.queue, pendingFollowUp{f, depth})
	}
	slices.SortStableFunc(d.queue, func(a, b pendingFollowUp) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.depth - b.depth
	})
}

// normalizedQuestion is the same for questions of the same terms: the terms, sorted.
func normalizedQuestion(question string) string {
	terms := textproc.Terms(question)
	if len(terms) == 0 {
		return strings.ToLower(text.OneLine(question))
	}
	slices.Sort(terms)
	return strings.Join(slices.Compact(terms), " ")
}

// count adds blocks to what was read.
func (d *driftSearch) count(blocks []synth.Block) {
	d.items += len(blocks)
	for _, b := range blocks {
		d.tokens += b.Tokens
	}
}

// run asks the most promising questions, a few at a time, until none is left or a
// limit is reached. One call is reserved for the answer.
func (d *driftSearch) run(ctx context.Context) error {
	for len(d.queue) > 0 {
		n := min(followUpsPerRound, len(d.queue), d.MaxCalls-1-d.calls)
		budget := 0
		if n > 0 {
			budget = min(followUpTokens, (d.MaxTokens-d.tokens)/n)
		}
		if n <= 0 || budget < minContextTokens {
			break
		}
		round := slices.Clone(d.queue[:n])
		d.queue = d.queue[n:]
		if err := d.ask(ctx, round, budget); err != nil {
			return err
		}
	}
	if d.failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d of %d follow-up questions could not be answered: %s", d.failed, d.failed+len(d.asked), text.FirstLine(d.reason.Error())))
	}
	return nil
}

// ask searches and reads for some questions concurrently. Their findings are
// taken in the order of the questions.
func (d *driftSearch) ask(ctx context.Context, round []pendingFollowUp, budget int) error {
	found := make([]finding, len(round))
	read := make([]localContext, len(round))
	errs := make([]error, len(round))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(d.options.Concurrency)
	for i, p := range round {
		g.Go(func() error {
			var err error
			if read[i], err = d.lookUp(gctx, p.Question, budget); err != nil {
				return err
			}
			if len(read[i].blocks) > 0 {
				found[i], errs[i] = d.explorer.follow(gctx, d.Text, p.FollowUp, read[i].blocks)
			}
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("follow-up: %w", err)
	}
	for i, p := range round {
		maps.Copy(d.known, read[i].known)
		for _, n := range read[i].notes {
			if !slices.Contains(d.notes, n) {
				d.notes = append(d.notes, n)
			}
		}
		if errs[i] != nil {
			d.calls++
			d.failed, d.reason = d.failed+1, errs[i]
			continue
		}
		if len(found[i].Blocks) == 0 {
			continue
		}
		d.calls++
		d.asked = append(d.asked, p.FollowUp)
		d.findings = append(d.findings, found[i])
		d.count(found[i].Blocks)
		d.push(found[i].next, p.depth+1)
	}
	return nil
}

// lookUp searches for a follow-up question as local does.
func (r request) lookUp(ctx context.Context, question string, budget int) (localContext, error) {
	r.Text = question
	found, err := r.reader.HybridSearch(ctx, question)
	if err != nil {
		return localContext{}, err
	}
	return r.localContext(ctx, found, budget)
}
