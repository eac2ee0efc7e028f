package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

var _ = register(Method{
	Name:    "drift",
	Summary: "starts from the closest reports and asks follow-up questions: broad questions that need details",
	answer:  answerDrift,
})

const (
	primerReports = 12 // at most, that drift starts from
	followAtOnce  = 4  // follow-up questions in one round
	followDepth   = 3  // rounds that a chain of follow-up questions may have
	followTokens  = 4000
	leastContext  = 200 // tokens below which nothing is worth asking with
)

// A FollowUp is a question that drift asked to answer another.
type FollowUp struct {
	Question string  `json:"question"`
	Score    float64 `json:"score"` // 0 to 100, by which it was chosen
}

// A finding is what one call of drift gave, or without a model one search.
type finding struct {
	answer string // of a model, as JSON
	shown  window
	blocks []block
	next   []FollowUp
}

// explorer asks the questions of drift: with a model, or by choosing sentences.
type explorer interface {
	// prime reads the reports that drift starts from.
	prime(ctx context.Context, q Question, reports []neo4jstore.ReportRow) (finding, error)
	// follow reads what was found for a follow-up question.
	follow(ctx context.Context, q Question, f FollowUp, blocks []block) (finding, error)
	// conclude answers from all findings; asked[i] led to findings[i+1].
	conclude(ctx context.Context, q Question, findings []finding, asked []FollowUp) (draft, error)
}

func (r request) explorer() explorer {
	if r.options.Model != nil {
		return driftModel{r.model()}
	}
	return driftOffline{}
}

// answerDrift is DRIFT search ("drill down", section 6.2 of the GraphRAG
// paper): it reads the reports closest to the question, looks up what they leave
// open, the most promising first, and answers from all of it.
func answerDrift(ctx context.Context, r request) (Answer, error) {
	hierarchy, ok := r.reader.Hierarchy()
	if !ok {
		return Answer{}, fmt.Errorf("%w: drift takes no filters and one corpus alone", ErrFilter)
	}
	reports, notes, err := r.primer(ctx, hierarchy)
	if err != nil {
		return Answer{}, err
	}
	x := r.explorer()
	first, err := x.prime(ctx, r.Question, reports)
	if err != nil {
		return Answer{}, err
	}
	d := &drill{request: r, x: x, notes: notes, findings: []finding{first}, calls: 1, seen: map[string]bool{normalised(r.Text): true}, known: known{}}
	d.count(first.blocks)
	d.push(first.next, 1)
	if err := d.run(ctx); err != nil {
		return Answer{}, err
	}
	out, err := x.conclude(ctx, r.Question, d.findings, d.asked)
	if err != nil {
		return Answer{}, err
	}
	out.items, out.tokens, out.known = d.items, d.tokens, d.known
	out.notes = append(out.notes, d.notes...)
	var a Answer
	if len(out.statements) == 0 && !out.written {
		a = nothingSpeaks(r.Question, out, reports)
		a.Notes = out.notes
	} else if a, err = r.finish(ctx, out, true); err != nil {
		return Answer{}, err
	}
	a.FollowUps = d.asked
	return a, nil
}

// primer finds the reports that are closest to the question on any level, no two
// of which lie inside each other, as far as they fit into a map window. A
// question about the whole, or one that is close to none, begins at the roots.
func (r request) primer(ctx context.Context, hierarchy Hierarchy) ([]neo4jstore.ReportRow, []string, error) {
	near, notes, err := hierarchy.close(ctx, r.Text)
	if err != nil {
		return nil, nil, err
	}
	var reports []neo4jstore.ReportRow
	if keys := near.closest(primerReports); len(keys) > 0 && !isOverview(textproc.ReadQuestion(r.Text)) {
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
		near.order(reports, true)
		reports = reports[:min(primerReports, len(reports))]
	}
	items := make([]rank.Item, len(reports))
	for i, report := range reports {
		items[i] = rank.Item{Key: report.Key, Tokens: report.NTokens}
	}
	var fitting []neo4jstore.ReportRow
	for _, i := range rank.Pack(items, r.MapTokens).Kept {
		fitting = append(fitting, reports[i])
	}
	if len(fitting) == 0 && len(reports) > 0 {
		fitting = reports[:1]
	}
	return fitting, notes, nil
}

// A drill is one answer on its way.
type drill struct {
	request

	x        explorer
	queue    []waiting
	seen     map[string]bool // questions in normal form
	asked    []FollowUp
	findings []finding
	known    known // evidence that was read with what was found
	notes    []string
	calls    int // of a model; without one as many searches
	items    int
	tokens   int // of the context read so far
	failed   int
	reason   error
}

// waiting is a follow-up question that was not asked yet.
type waiting struct {
	FollowUp
	depth int
}

// push puts follow-up questions into their places in the queue: by falling
// score, then depth. The seed decides between equals. What was asked before in
// other words of the same stems is left out.
func (d *drill) push(list []FollowUp, depth int) {
	list = slices.Clone(list)
	rank.Shuffle(d.Seed, list)
	for _, f := range list {
		norm := normalised(f.Question)
		if f.Score <= 0 || depth > followDepth || norm == "" || d.seen[norm] {
			continue
		}
		d.seen[norm] = true
		d.queue = append(d.queue, waiting{f, depth})
	}
	slices.SortStableFunc(d.queue, func(a, b waiting) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.depth - b.depth
	})
}

// normalised is the form in which equal questions are equal: their terms, sorted.
func normalised(question string) string {
	terms := textproc.Terms(question)
	if len(terms) == 0 {
		return strings.ToLower(foldSpace(question))
	}
	slices.Sort(terms)
	return strings.Join(slices.Compact(terms), " ")
}

func (d *drill) count(blocks []block) {
	d.items += len(blocks)
	for _, b := range blocks {
		d.tokens += b.tokens
	}
}

// run asks the most promising questions, a few at once, until none is left or a
// bound is reached. One call is kept for the answer.
func (d *drill) run(ctx context.Context) error {
	for len(d.queue) > 0 {
		n := min(followAtOnce, len(d.queue), d.MaxCalls-1-d.calls)
		budget := 0
		if n > 0 {
			budget = min(followTokens, (d.MaxTokens-d.tokens)/n)
		}
		if n <= 0 || budget < leastContext {
			break
		}
		round := slices.Clone(d.queue[:n])
		d.queue = d.queue[n:]
		if err := d.ask(ctx, round, budget); err != nil {
			return err
		}
	}
	if d.failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d of %d follow-up questions could not be answered: %s", d.failed, d.failed+len(d.asked), firstLine(d.reason)))
	}
	return nil
}

// ask searches and reads for some questions at once. What they give is taken in
// their order, whichever ends first.
func (d *drill) ask(ctx context.Context, round []waiting, budget int) error {
	found := make([]finding, len(round))
	read := make([]localContext, len(round))
	errs := make([]error, len(round))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(d.options.Concurrency)
	for i, w := range round {
		g.Go(func() error {
			var err error
			if read[i], err = d.lookUp(gctx, w.FollowUp.Question, budget); err != nil {
				return err
			}
			if len(read[i].blocks) > 0 {
				found[i], errs[i] = d.x.follow(gctx, d.Question, w.FollowUp, read[i].blocks)
			}
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("follow-up: %w", err)
	}
	for i, w := range round {
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
		if len(found[i].blocks) == 0 {
			continue
		}
		d.calls++
		d.asked = append(d.asked, w.FollowUp)
		d.findings = append(d.findings, found[i])
		d.count(found[i].blocks)
		d.push(found[i].next, w.depth+1)
	}
	return nil
}

// lookUp is the local search behind a follow-up question.
func (r request) lookUp(ctx context.Context, question string, budget int) (localContext, error) {
	r.Text = question
	found, err := r.reader.near(ctx, question)
	if err != nil {
		return localContext{}, err
	}
	return r.searchLocal(ctx, found, budget)
}
