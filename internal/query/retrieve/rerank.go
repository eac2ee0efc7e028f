package retrieve

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/text/textproc"
)

// RerankLimit is the number of best chunks that are reranked.
const RerankLimit = 30

// Rerank orders the best chunks again with a reranker and scores them by their
// new ranks; the other chunks follow in their old order. A nil reranker changes
// nothing. If the reranker fails, the order stays and a note says why.
func Rerank(ctx context.Context, reranker Reranker, question string, chunks []Chunk) (reranked []Chunk, notes []string, err error) {
	best := chunks[:min(RerankLimit, len(chunks))]
	if reranker == nil || len(best) < 2 {
		return chunks, nil, nil
	}
	texts := make([]string, len(best))
	for i, c := range best {
		texts[i] = strings.TrimSpace(c.Title() + "\n" + c.Text)
	}
	scores, err := reranker.Rerank(ctx, question, texts)
	var problem string
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		problem = err.Error()
	case len(scores) != len(best):
		problem = fmt.Sprintf("it gave %d scores for %d texts", len(scores), len(best))
	default:
		return byScores(chunks, scores), nil, nil
	}
	return chunks, []string{"The sources could not be reranked and keep the order of the search: " + problem}, nil
}

// byScores orders the first chunks by scores; the others follow unchanged.
func byScores(chunks []Chunk, scores []float64) []Chunk {
	order := rank.Order(scores)
	out := make([]Chunk, 0, len(chunks))
	for place, at := range order {
		c := chunks[at]
		c.Score = 1 - .5*float64(place)/float64(len(order))
		out = append(out, c)
	}
	return append(out, chunks[len(scores):]...)
}

// Diversify reorders the best chunks by maximal marginal relevance: diversity,
// from 0 to 1, is how much a chunk loses for repeating a chunk ranked before
// it. 0 changes nothing.
func Diversify(chunks []Chunk, diversity float64) []Chunk {
	if diversity <= 0 {
		return chunks
	}
	n := min(RerankLimit, len(chunks))
	terms := make([]textproc.TermSet, n)
	scores := make([]float64, n)
	for i, c := range chunks[:n] {
		terms[i], scores[i] = textproc.TermSetOf(c.Text), c.Score
	}
	alike := func(i, j int) float64 {
		shared := terms[i].Shared(terms[j])
		all := len(terms[i]) + len(terms[j]) - shared
		if all == 0 {
			return 0
		}
		return float64(shared) / float64(all)
	}
	out := make([]Chunk, 0, len(chunks))
	for _, at := range rank.MMR(scores, alike, 1-min(diversity, 1), n) {
		out = append(out, chunks[at])
	}
	return append(out, chunks[n:]...)
}
