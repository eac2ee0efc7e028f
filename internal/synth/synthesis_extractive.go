package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

// offline answers without a model: by the sentences that speak to the question.
type offline struct{ concurrency int }

// mapReduce answers a question from any number of blocks: they are packed into
// windows, each window gives its points, and the best points make the answer.
// Blocks keep the order they come in; the caller shuffles where order would bias.
func (o offline) mapReduce(ctx context.Context, q Question, blocks []block) (draft, error) {
	items := make([]rank.Item, len(blocks))
	d := draft{items: len(blocks)}
	for i, b := range blocks {
		items[i] = rank.Item{Key: b.key, Tokens: b.tokens}
		d.tokens += b.tokens
	}
	windows := rank.Windows(items, q.MapTokens)
	asked := textproc.ReadQuestion(q.Text)
	points := make([][]statement, len(windows))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.concurrency)
	for i, window := range windows {
		g.Go(func() error {
			var all []statement
			for _, at := range window {
				all = append(all, blocks[at].statements()...)
			}
			rate(asked, all)
			points[i] = slices.DeleteFunc(all, func(s statement) bool { return s.score <= 0 })
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return draft{}, fmt.Errorf("map: %w", err)
	}
	d.statements = reduce(slices.Concat(points...), q)
	return d, nil
}

// answer chooses among the sentences of the blocks, those of better ones first.
func (offline) answer(_ context.Context, q Question, blocks []block) (draft, error) {
	d := draft{items: len(blocks)}
	for i := range blocks {
		d.tokens += blocks[i].tokens
		d.statements = append(d.statements, blocks[i].statements()...)
	}
	rate(textproc.ReadQuestion(q.Text), d.statements)
	for i := range d.statements {
		d.statements[i].score *= d.statements[i].weight
	}
	d.statements = choose(d.statements, approximateTokens, q.AnswerTokens, pointsPerGroup)
	return d, nil
}

// pointsPerGroup bounds what one report or chunk adds to an answer.
const pointsPerGroup = 3

// reduce keeps the best points, and puts those of one report together, best report first.
func reduce(points []statement, q Question) []statement {
	limit := min(q.AnswerTokens, q.ReduceTokens)
	chosen := choose(points, approximateTokens, limit, pointsPerGroup)
	order := map[string]int{}
	for _, s := range chosen {
		if _, ok := order[s.group]; !ok {
			order[s.group] = len(order)
		}
	}
	slices.SortStableFunc(chosen, func(a, b statement) int { return order[a.group] - order[b.group] })
	return chosen
}

// approximateTokens counts a text for the size of an answer without a model,
// where a vocabulary would cost more time than the whole answer.
func approximateTokens(s string) int { return len(s)/4 + 1 }

// markdown writes an answer: the statements of one report under its title, or,
// when no group has a title of its own, one list.
func markdown(statements []statement, headings bool, numbers func(statement) []int) string {
	var b strings.Builder
	group := ""
	for i, s := range statements {
		if headings && (i == 0 || s.group != group) {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "**%s**\n\n", s.title)
			group = s.group
		}
		fmt.Fprintf(&b, "- %s ", s.text)
		for _, n := range numbers(s) {
			fmt.Fprintf(&b, "[%d]", n)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}
