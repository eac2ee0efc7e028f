// Package d2q answers from the chunks nearest to the question by a vector of their text and their
// questions (Doc2Query and Doc2Query--, QCG-RAG, section 3.1).
package d2q

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "d2q",
	Summary: "the chunks nearest to the question by a vector of their text and all their questions (Doc2Query); needs `neorag index --with queries`",
	Profile: query.Profile{
		Reads: "the chunks nearest to the question by a vector of their text and their questions",
		Use:   "comparisons with `qcg`",
		Needs: []query.Artifact{query.Queries},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.QCGRAG("3.1"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7400, 7950, 49, 231),
	},
	Answer:   answerD2Q(false),
	Retrieve: retrieveD2Q(false),
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
})

// Kept is the method with the questions that are kept.
var Kept = query.Register(query.Method{
	Name:    "d2q--",
	Summary: "the same with those of their questions that are kept (Doc2Query--)",
	Profile: query.Profile{
		Reads: "the same, with those of their questions that are kept",
		Use:   "comparisons with `qcg`",
		Needs: []query.Artifact{query.Queries},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.QCGRAG("3.1"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7400, 7950, 49, 231),
	},
	Answer:   answerD2Q(true),
	Retrieve: retrieveD2Q(true),
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
})

// searchD2Q ranks chunks by the vector of their text and their questions.
func searchD2Q(ctx context.Context, r query.Request, keptOnly bool) (retrieve.Ranking, error) {
	return r.Reader.SearchWithQueries(ctx, r.Text, keptOnly, r.VectorHits())
}

func retrieveD2Q(keptOnly bool) func(context.Context, query.Request) (retrieve.Ranking, error) {
	return func(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
		found, err := searchD2Q(ctx, r, keptOnly)
		if err != nil {
			return found, err
		}
		return r.RerankRanking(ctx, found)
	}
}

// answerD2Q answers from the best chunks, in rank order, as far as they fit.
func answerD2Q(keptOnly bool) func(context.Context, query.Request) (query.Answer, error) {
	return func(ctx context.Context, r query.Request) (query.Answer, error) {
		found, err := searchD2Q(ctx, r, keptOnly)
		if err != nil {
			return query.Answer{}, err
		}
		return r.AnswerChunks(ctx, found)
	}
}
