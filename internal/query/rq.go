package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

var _ = Register(Method{
	Name:    "rq",
	Summary: "the chunks nearest to the question as a model rewrites, decomposes or disambiguates it (RQ-RAG); needs a chat model",
	Profile: Profile{
		Reads:      "the closest chunks to the question and to those that a model makes of it, fused by rank",
		Use:        "questions of several parts",
		Uses:       []Artifact{Vectors},
		NeedsModel: true,
		Paper:      PaperOf(rqRAG, "2"),
		Calls:      "2",
		Cost:       Cost{Calls: Range{2, 2}, TokensIn: Range{7741, 8166}, TokensOut: Range{78, 185}},
	},
	Answer:   answerRQ,
	Retrieve: retrieveRQ,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.TuningNames(),
})

// searchRQ searches for the question and for what the model makes of it, each as basic does,
// and fuses the rankings by rank.
func (r Request) searchRQ(ctx context.Context) (retrieve.Ranking, expand.Refinement, error) {
	r.Step("questions", 0, 0)
	refined, err := expand.Refine(ctx, r.Asker(expand.TaskRefine), r.Text)
	if ctx.Err() != nil {
		return retrieve.Ranking{}, refined, ctx.Err()
	}
	var notes []string
	if err != nil {
		refined = expand.Refinement{Kind: "none", Questions: []string{}}
		notes = []string{"The model did not refine the question, so the search used it as it is: " + text.FirstLine(err.Error())}
	}
	r.Step("retrieving", 0, 0)
	found, err := r.Reader.SearchSeveral(ctx, append([]string{r.Text}, refined.Questions...), r.Tuning)
	found.Notes = append(notes, found.Notes...)
	return found, refined, err
}

func retrieveRQ(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, _, err := r.searchRQ(ctx)
	if err != nil {
		return found, err
	}
	return r.RerankRanking(ctx, found)
}

// answerRQ answers the question as it was asked from the best chunks, in rank order, as far as
// they fit.
func answerRQ(ctx context.Context, r Request) (Answer, error) {
	found, refined, err := r.searchRQ(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.AnswerChunks(ctx, found)
	a.Refinement = &refined
	return a, err
}
