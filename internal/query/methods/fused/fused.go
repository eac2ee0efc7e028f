// Package fused answers from the best chunks by everything that the index holds of them.
package fused

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "fused",
	Summary: "the best chunks by everything that the index holds of them: questions for a fact",
	Profile: query.Profile{
		Reads: "chunks ranked by full text, feedback, entities, facts, the graph and vectors",
		Use:   "questions for a fact",
		Uses:  []query.Artifact{query.Vectors},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7193, 7764, 79, 223),
	},
	Answer:   answerFused,
	Retrieve: retrieveFused,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.FusedTuningNames(),
	Paths:    retrieve.FusedPaths,
})

// fused ranks chunks for the question.
func fused(ctx context.Context, r query.Request) (retrieve.FusedResult, error) {
	return r.Reader.Fused(ctx, retrieve.FusedQuery{Question: r.Text, Paths: r.Paths, Tuning: r.Tuning, Snapshots: r.Snapshots})
}

func retrieveFused(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := fused(ctx, r)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerFused answers from the best chunks, in rank order, as far as they fit.
func answerFused(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := fused(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Traces = append(a.Traces, fusedTrace(found, chunks))
	return a, err
}
