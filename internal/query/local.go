package query

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
)

var _ = Register(Method{
	Name:    "local",
	Summary: "entities near the question with what surrounds them: questions about particular things",
	Profile: Profile{
		Reads: "the entities that the question is about, with their relationships, claims, reports and chunks",
		Use:   "questions about particular people, places or things",
		Uses:  []Artifact{Reports, Vectors},
		Paper: PaperOf(graphRAG, "6.2"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{4000, 4300}, TokensOut: Range{63, 220}},
	},
	Answer:   answerLocal,
	Retrieve: retrieveLocal,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.NeighborhoodTuning(),
})

func answerLocal(ctx context.Context, r Request) (Answer, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return Answer{}, err
	}
	if route.MayName(r.Text) {
		if a, ok, err := r.answerOverview(ctx, foundNames(found)); ok || err != nil {
			return a, err
		}
	}
	return r.answerNeighborhood(ctx, found)
}

// retrieveLocal ranks the chunks that a local context would be packed from, and
// the documents by their best chunk.
func retrieveLocal(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	near, notes, err := r.neighborhood(ctx, found.Tuned(r.Tuning))
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return RankingOf(near.Chunks, notes), nil
}

// neighborhood reads what surrounds the candidates, with its chunks reranked and
// diversified as the question asks. The notes include those of the search.
func (r Request) neighborhood(ctx context.Context, found retrieve.Candidates) (retrieve.Neighborhood, []string, error) {
	near, err := r.Reader.Neighborhood(ctx, found, retrieve.NeighborhoodOptions{Level: r.Level.Number(), Question: r.Text, PageRank: r.PageRank, Tuning: r.Tuning})
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	reranked, notes, err := r.Rerank(ctx, near.Chunks)
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	near.Chunks = retrieve.Diversify(reranked, r.Diversity)
	return near, slices.Concat(found.Notes, notes), nil
}

// answerNeighborhood answers from what surrounds the entities of the question,
// each kind within its share of the budget.
func (r Request) answerNeighborhood(ctx context.Context, found retrieve.Candidates) (Answer, error) {
	c, err := r.localContext(ctx, found, r.localBudget())
	if err != nil {
		return Answer{}, err
	}
	return r.AnswerContext(ctx, c)
}

// answerContext answers from a packed context.
func (r Request) AnswerContext(ctx context.Context, c PackedContext) (Answer, error) {
	if len(c.Blocks) == 0 {
		return r.Complete(ctx, synth.Draft{}, Completion{})
	}
	d, err := r.Synthesizer().Answer(ctx, r.Synthesis(), c.Blocks)
	if err != nil {
		return Answer{}, err
	}
	d.Notes = append(d.Notes, c.Notes...)
	a, err := r.Complete(ctx, d, Completion{Known: c.Known})
	a.Context = c.Sections
	return a, err
}
