// Package linear answers from chunks that walks over sentences and entities lead to (LinearRAG,
// section 3).
package linear

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "linear",
	Summary: "chunks by walks from the entities that the question names, over the sentences that name them (LinearRAG); needs `neorag index --with sentences`",
	Profile: query.Profile{
		Reads: "the chunks that entities of the question lead to over the sentences that name them",
		Use:   "comparisons with `fused`, which has the same walks as one of its paths",
		Needs: []query.Artifact{query.Sentences},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "LinearRAG", Section: "3", URL: "https://arxiv.org/abs/2510.10114"},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7453, 7892, 97, 187),
	},
	Answer:   answerLinear,
	Retrieve: retrieveLinear,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.LinearTuningNames(),
})

func linear(ctx context.Context, r query.Request) (retrieve.LinearResult, error) {
	return r.Reader.Linear(ctx, retrieve.LinearQuery{Question: r.Text, Tuning: r.Tuning, Snapshots: r.Snapshots})
}

func retrieveLinear(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := linear(ctx, r)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerLinear answers from the best chunks, in rank order, as far as they fit.
func answerLinear(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := linear(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Traces = append(a.Traces, linearTrace(found, chunks))
	return a, err
}
