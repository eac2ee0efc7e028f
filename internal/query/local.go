package query

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/synth"
)

var _ = register(Method{
	Name:     "local",
	Summary:  "entities near the question with what surrounds them: questions about particular things",
	answer:   answerLocal,
	retrieve: retrieveLocal,
	scoped:   true,
	unpinned: true,
})

func answerLocal(ctx context.Context, r request) (Answer, error) {
	found, err := r.reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return Answer{}, err
	}
	return r.answerNeighborhood(ctx, found)
}

// retrieveLocal ranks the chunks that a local context would be packed from, and
// the documents by their best chunk.
func retrieveLocal(ctx context.Context, r request) (retrieve.Ranking, error) {
	found, err := r.reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	near, notes, err := r.neighborhood(ctx, found)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return rankingOf(near.Chunks, notes), nil
}

// rankingOf returns chunks as a ranking, and ranks documents by their best chunk.
func rankingOf(chunks []retrieve.Chunk, notes []string) retrieve.Ranking {
	out := retrieve.Ranking{Notes: notes}
	seen := map[string]bool{}
	for _, c := range chunks {
		out.Chunks = append(out.Chunks, rank.Scored{Key: c.Key, Score: c.Score})
		if !seen[c.Document] {
			seen[c.Document] = true
			out.Documents = append(out.Documents, rank.Scored{Key: c.Document, Score: c.Score})
		}
	}
	return out
}

// neighborhood reads what surrounds the candidates, with its chunks reranked and
// diversified as the question asks. The notes include those of the search.
func (r request) neighborhood(ctx context.Context, found retrieve.Candidates) (retrieve.Neighborhood, []string, error) {
	near, err := r.reader.Neighborhood(ctx, found, retrieve.NeighborhoodOptions{Level: r.Level.Number(), Question: r.Text, PageRank: r.PageRank})
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	notes := found.Notes
	reranked, note, err := retrieve.Rerank(ctx, r.options.Reranker, r.Text, near.Chunks)
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	if note != "" {
		notes = append(slices.Clip(notes), note)
	}
	near.Chunks = retrieve.Diversify(reranked, r.Diversity)
	return near, notes, nil
}

// answerNeighborhood answers from what surrounds the entities of the question,
// each kind within its share of the budget.
func (r request) answerNeighborhood(ctx context.Context, found retrieve.Candidates) (Answer, error) {
	c, err := r.localContext(ctx, found, r.localBudget())
	if err != nil {
		return Answer{}, err
	}
	return r.answerContext(ctx, c)
}

// answerContext answers from a packed context.
func (r request) answerContext(ctx context.Context, c localContext) (Answer, error) {
	if len(c.blocks) == 0 {
		return r.complete(ctx, synth.Draft{}, completion{})
	}
	d, err := r.synthesizer().Answer(ctx, r.synthesis(), c.blocks)
	if err != nil {
		return Answer{}, err
	}
	d.Notes = append(d.Notes, c.notes...)
	a, err := r.complete(ctx, d, completion{known: c.known})
	a.Context = c.sections
	return a, err
}
