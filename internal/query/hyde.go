package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

var _ = Register(Method{
	Name:    "hyde",
	Summary: "the chunks nearest to passages that a model writes as if they answered the question (HyDE); needs a chat model",
	Profile: Profile{
		Reads:      "the chunks nearest to the question and to passages that a model writes as if they answered it",
		Use:        "questions in other words than those of the text",
		Uses:       []Artifact{Vectors},
		NeedsModel: true,
		Paper:      PaperOf(hyDE, "3.2"),
		Calls:      "2",
		Cost:       Cost{Calls: Range{2, 2}, TokensIn: Range{7549, 8148}, TokensOut: Range{85, 257}},
	},
	Answer:   answerHyDE,
	Retrieve: retrieveHyDE,
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
})

// passages has the model write passages that could answer the question. If it fails, there
// are none, and a note says so.
func (r Request) passages(ctx context.Context) (passages, notes []string, err error) {
	r.Step("passages", 0, 0)
	passages, err = expand.Passages(ctx, r.Asker(expand.TaskPassages), r.Text, r.Passages)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, []string{"The model wrote no passage, so the search used the question alone: " + text.FirstLine(err.Error())}, nil
	}
	return passages, nil, nil
}

// searchHyDE ranks chunks by the mean of the vectors of the question and of the passages that
// the model writes.
func (r Request) searchHyDE(ctx context.Context) (found retrieve.Ranking, passages []string, err error) {
	passages, notes, err := r.passages(ctx)
	if err != nil {
		return found, nil, err
	}
	r.Step("retrieving", 0, 0)
	found, err = r.Reader.SearchByMean(ctx, append([]string{r.Text}, passages...), r.VectorHits())
	found.Notes = notes
	return found, passages, err
}

func retrieveHyDE(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, _, err := r.searchHyDE(ctx)
	if err != nil {
		return found, err
	}
	return r.RerankRanking(ctx, found)
}

// answerHyDE answers from the best chunks, in rank order, as far as they fit. The model that
// answers does not see the passages.
func answerHyDE(ctx context.Context, r Request) (Answer, error) {
	found, passages, err := r.searchHyDE(ctx)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.AnswerChunks(ctx, found)
	a.Passages = passages
	return a, err
}
