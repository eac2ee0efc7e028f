package drift

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/methods/local"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	driftCalls        = 8      // by default, with the first and the last: two rounds of follow-up questions
	driftTokens       = 20_000 // by default, of all contexts together
	primerTokens      = 5000   // of the reports that drift starts from
	followUpsPerRound = 3      // asked at the same time
	maxFollowUpDepth  = 3      // of a chain of follow-up questions
	followUpTokens    = 3000
	minSameTerms      = .7  // share of the terms of two questions from which they ask the same
	minContextTokens  = 200 // below which a context is not worth a call
)

// A driftSearch is the state of one drift answer.
type driftSearch struct {
	query.Request

	explorer            explorer
	maxCalls, maxTokens int
	queue               []pendingFollowUp // best first
	seen                []askedTerms      // of the questions that were asked or wait
	asked               []FollowUp
	findings            []finding
	known               cite.Known // evidence that was read with the findings
	notes               []string
	calls               int // of the model, or searches without one
	items               int
	tokens              int // of the context read so far
	failed              int // follow-up questions
	reason              error
}

// A pendingFollowUp is a follow-up question that was not asked yet.
type pendingFollowUp struct {
	FollowUp

	depth int
}

// push adds follow-up questions to the queue, which is sorted by falling score,
// then depth. The seed decides between equals. A question that asks nearly the same as
// another one is left out.
func (d *driftSearch) push(list []FollowUp, depth int) {
	list = slices.Clone(list)
	rank.Shuffle(d.Seed, list)
	slices.SortStableFunc(list, func(a, b FollowUp) int { return cmp.Compare(b.Score, a.Score) }) // of two that ask the same, the better one is kept
	for _, f := range list {
		terms := d.termsAsked(f.Question)
		if len(terms) == 0 || f.Score <= 0 || depth > maxFollowUpDepth || slices.ContainsFunc(d.seen, terms.same) {
			continue
		}
		d.seen = append(d.seen, terms)
		d.queue = append(d.queue, pendingFollowUp{f, depth})
	}
	slices.SortStableFunc(d.queue, func(a, b pendingFollowUp) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), a.depth-b.depth)
	})
}

// askedTerms is what a question asks for: terms, or its words if it has no terms. It is empty for
// a question that asks nothing new.
type askedTerms textproc.TermSet

// termsAsked returns what a follow-up question asks for beyond the question itself.
func (d *driftSearch) termsAsked(followUp string) askedTerms {
	terms := textproc.TermSetOf(followUp)
	if len(terms) == 0 {
		return askedTerms{strings.ToLower(text.OneLine(followUp)): {}}
	}
	for t := range textproc.TermSetOf(d.Text) {
		delete(terms, t)
	}
	return askedTerms(terms)
}

// same reports whether two questions ask nearly the same.
func (a askedTerms) same(b askedTerms) bool {
	shared := textproc.TermSet(a).Shared(textproc.TermSet(b))
	return float64(shared) >= minSameTerms*float64(len(a)+len(b)-shared)
}

// count adds blocks to what was read.
func (d *driftSearch) count(blocks []synth.Block) {
	d.items += len(blocks)
	for _, b := range blocks {
		d.tokens += b.Tokens
	}
}

// run asks the most promising questions, a few at a time, until none is left or a
// limit is reached, which a note says. One call is reserved for the answer.
func (d *driftSearch) run(ctx context.Context) error {
	for len(d.queue) > 0 {
		n := min(followUpsPerRound, len(d.queue), d.maxCalls-1-d.calls)
		budget := 0
		if n > 0 {
			budget = min(followUpTokens, (d.maxTokens-d.tokens)/n)
		}
		if n <= 0 || budget < minContextTokens {
			limit := "--max-tokens"
			if n <= 0 {
				limit = "--max-calls"
			}
			d.notes = append(d.notes, fmt.Sprintf("%d of %d follow-up questions were not asked, because %s was reached.", len(d.queue), len(d.seen), limit))
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
	read := make([]query.PackedContext, len(round))
	errs := make([]error, len(round))
	before := d.before()
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(d.Options.Concurrency)
	for i, p := range round {
		g.Go(func() error {
			var err error
			if read[i], err = lookUp(gctx, d.Request, p.Question, budget); err != nil {
				return err
			}
			if len(read[i].Blocks) > 0 {
				found[i], errs[i] = d.explorer.follow(gctx, d.Text, p.FollowUp, before, read[i].Blocks)
			}
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("follow-up: %w", err)
	}
	for i, p := range round {
		maps.Copy(d.known, read[i].Known)
		for _, n := range read[i].Notes {
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

// before is what was asked and found so far.
func (d *driftSearch) before() notes {
	var n notes
	for _, f := range d.asked {
		n.asked = append(n.asked, f.Question)
	}
	for _, f := range d.findings {
		n.found = append(n.found, f.Points()...)
	}
	return n
}

// lookUp searches for a follow-up question as local does.
func lookUp(ctx context.Context, r query.Request, question string, budget int) (query.PackedContext, error) {
	r.Text = question
	found, err := r.Reader.HybridSearch(ctx, question)
	if err != nil {
		return query.PackedContext{}, err
	}
	return local.Context(ctx, r, found, budget)
}
