package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

var _ = register(Method{
	Name:    "rq",
	Summary: "the chunks nearest to the question as a model rewrites, decomposes or disambiguates it (RQ-RAG); needs a chat model",
	Profile: Profile{
		Reads:      "the closest chunks to the question and to those that a model makes of it, fused by rank",
		Use:        "questions of several parts",
		Uses:       []Artifact{Vectors},
		NeedsModel: true,
		Paper:      paper(rqRAG, "2"),
		Calls:      "2",
		Cost:       Cost{Calls: Range{2, 2}, TokensIn: Range{7741, 8166}, TokensOut: Range{78, 185}},
	},
	answer:   answerRQ,
	retrieve: retrieveRQ,
	scoped:   true,
	unpinned: true,
	tuning:   retrieve.TuningNames(),
})

// searchRQ searches for the question and for what the model makes of it, each as basic does,
// and fuses the rankings by rank.
func (r request) searchRQ(ctx context.Context) (retrieve.Ranking, expand.Refinement, error) {
	r.progress("questions", 0, 0)
	refined, err := expand.Refine(ctx, r.asker(expand.TaskRefine), r.Text)
	if ctx.Err() != nil {
		return retrieve.Ranking{}, refined, ctx.Err()
	}
	var notes []string
	if err != nil {
		refined = expand.Refinement{Kind: "none", Questions: []string{}}
		notes = []string{"The model did not refine the question, so the search used it as it is: " + text.FirstLine(err.Error())}
	}
	r.progress("retrieving", 0, 0)
	found, err := r.reader.SearchSeveral(ctx, append([]string{r.Text}, refined.Questions...), r.Tuning)
	found.Notes = append(notes, found.Notes...)
	return found, refined, err
}

func retrieveRQ(ctx context.Context, r request) (retrieve.Ranking, error) {
	found, _, err := r.searchRQ(ctx)
	if err != nil {
		return found, err
	}
	return r.rerankRanking(ctx, found)
}

// answerRQ answers the question as it was asked from the best chunks, in rank order, as far as
// they fit.
func answerRQ(ctx context.Context, r request) (Answer, error) {
	found, refined, err := r.searchRQ(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.answerChunks(ctx, found)
	a.Refinement = &refined
	return a, err
}
