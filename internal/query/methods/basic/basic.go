// Package basic answers from the chunks nearest to the question (GraphRAG, section 4.1.2, SS).
package basic

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "basic",
	Summary: "the chunks nearest to the question: questions about a detail",
	Profile: query.Profile{
		Reads: "the closest chunks, by full text and by vectors",
		Use:   "questions about a detail",
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.GraphRAG("4.1.2, SS"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7300, 7700, 74, 170),
	},
	Answer:   answerBasic,
	Retrieve: retrieveBasic,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.TuningNames(),
	Paths:    []string{retrieve.PathText, retrieve.PathVectors},
})

// answerBasic answers from the best chunks, in rank order, as far as they fit.
func answerBasic(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := r.Reader.SearchChunks(ctx, r.Text, nil, r.Paths...)
	if err != nil {
		return query.Answer{}, err
	}
	return r.AnswerChunks(ctx, found)
}

func retrieveBasic(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := r.Reader.SearchChunks(ctx, r.Text, r.Tuning, r.Paths...)
	if err != nil {
		return found, err
	}
	return r.RerankRanking(ctx, found)
}
