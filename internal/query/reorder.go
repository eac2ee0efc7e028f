package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/rank"
)

// A Reranker says how relevant each text is to a question; higher is better.
// It gives one score a text, or an error.
type Reranker interface {
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// rerankLimit is how many of the best blocks a reranker reads.
const rerankLimit = 30

// reorder ranks the best blocks anew by the reranker, if there is one, and
// spreads them over what they say, if diversity is asked for. When the
// reranker fails the order stays, and the notes say so.
func (e *Engine) reorder(ctx context.Context, q Question, blocks []block, notes *[]string) ([]block, error) {
	head := blocks[:min(rerankLimit, len(blocks))]
	if e.options.Reranker != nil && len(head) > 1 {
		texts := make([]string, len(head))
		for i, b := range head {
			texts[i] = strings.TrimSpace(b.title + "\n" + b.text)
		}
		scores, err := e.options.Reranker.Rerank(ctx, q.Text, texts)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && len(scores) != len(head):
			err = fmt.Errorf("it gave %d scores for %d texts", len(scores), len(head))
			fallthrough
		case err != nil:
			*notes = append(*notes, "The sources could not be ranked anew, so that they stand as they were found: "+err.Error())
		default:
			blocks = reranked(blocks, scores)
		}
	}
	if q.Diversity > 0 {
		blocks = diverse(blocks, min(q.Diversity, 1))
	}
	return blocks, nil
}

// reranked orders the first blocks by new scores; the others follow as they stood.
func reranked(blocks []block, scores []float64) []block {
	order := rank.Order(scores)
	out := make([]block, 0, len(blocks))
	for place, at := range order {
		b := blocks[at]
		b.weight = 1 - .5*float64(place)/float64(len(order))
		out = append(out, b)
	}
	return append(out, blocks[len(scores):]...)
}

// diverse reorders the best blocks so that each adds something.
func diverse(blocks []block, diversity float64) []block {
	n := min(rerankLimit, len(blocks))
	words := make([]map[string]bool, n)
	scores := make([]float64, n)
	for i, b := range blocks[:n] {
		words[i], scores[i] = termSet(b.text), b.weight
	}
	alike := func(i, j int) float64 {
		shared := 0
		for w := range words[i] {
			if words[j][w] {
				shared++
			}
		}
		all := len(words[i]) + len(words[j]) - shared
		if all == 0 {
			return 0
		}
		return float64(shared) / float64(all)
	}
	out := make([]block, 0, len(blocks))
	for _, at := range rank.MMR(scores, alike, 1-diversity, n) {
		out = append(out, blocks[at])
	}
	return append(out, blocks[n:]...)
}
