package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/retrieve"
)

var _ = Register(Method{
	Name:    "d2q",
	Summary: "the chunks nearest to the question by a vector of their text and all their questions (Doc2Query); needs `neorag index --with queries`",
	Profile: Profile{
		Reads: "the chunks nearest to the question by a vector of their text and their questions",
		Use:   "comparisons with `qcg`",
		Needs: []Artifact{Queries},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(qcgRAG, "3.1"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{7400, 7950}, TokensOut: Range{49, 231}},
	},
	Answer:   answerD2Q(false),
	Retrieve: retrieveD2Q(false),
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
})

var _ = Register(Method{
	Name:    "d2q--",
	Summary: "the same with those of their questions that are kept (Doc2Query--)",
	Profile: Profile{
		Reads: "the same, with those of their questions that are kept",
		Use:   "comparisons with `qcg`",
		Needs: []Artifact{Queries},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(qcgRAG, "3.1"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{7400, 7950}, TokensOut: Range{49, 231}},
	},
	Answer:   answerD2Q(true),
	Retrieve: retrieveD2Q(true),
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
})

// searchD2Q ranks chunks by the vector of their text and their questions.
func (r Request) searchD2Q(ctx context.Context, keptOnly bool) (retrieve.Ranking, error) {
	return r.Reader.SearchWithQueries(ctx, r.Text, keptOnly, r.VectorHits())
}

func retrieveD2Q(keptOnly bool) func(context.Context, Request) (retrieve.Ranking, error) {
	return func(ctx context.Context, r Request) (retrieve.Ranking, error) {
		found, err := r.searchD2Q(ctx, keptOnly)
		if err != nil {
			return found, err
		}
		return r.RerankRanking(ctx, found)
	}
}

// answerD2Q answers from the best chunks, in rank order, as far as they fit.
func answerD2Q(keptOnly bool) func(context.Context, Request) (Answer, error) {
	return func(ctx context.Context, r Request) (Answer, error) {
		found, err := r.searchD2Q(ctx, keptOnly)
		if err != nil {
			return Answer{}, err
		}
		return r.AnswerChunks(ctx, found)
	}
}
