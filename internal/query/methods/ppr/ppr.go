// Package ppr answers from chunks that walks from the facts nearest to a question lead to (HippoRAG 2,
// section 3).
package ppr

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "ppr",
	Summary: "chunks by walks from the facts that are near to the question, over entities and the chunks that mention them (HippoRAG 2)",
	Profile: query.Profile{
		Reads: "the chunks that the relationships nearest to the question lead to; with a model only those that it chooses",
		Use:   "questions that need several facts",
		Uses:  []query.Artifact{query.Vectors, query.Synonyms},
		Paper: query.Paper{Name: "HippoRAG 2", Section: "3", URL: "https://arxiv.org/abs/2502.14802"},
		Calls: "2",
		Cost:  query.CostOf(2, 2, 7944, 8503, 114, 242),
	},
	Prompts:  []string{prompts.Facts},
	Answer:   answerPPR,
	Retrieve: retrievePPR,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.PPRTuningNames(),
})

// ppr ranks chunks. A model, if there is one, chooses among the facts.
func ppr(ctx context.Context, r query.Request) (retrieve.PPRResult, error) {
	q := retrieve.PPRQuery{Question: r.Text, Tuning: r.Tuning, Snapshots: r.Snapshots}
	if r.Options.Model != nil {
		q.Keep = func(ctx context.Context, facts []retrieve.Fact) ([]int, error) {
			r.Step("facts", 0, 0)
			lines := make([]string, len(facts))
			for i, f := range facts {
				lines[i] = f.Source + " \u2014 " + f.Target + ": " + f.Description
			}
			return expand.Facts(ctx, r.Asker(expand.TaskFacts), r.Text, lines)
		}
	}
	return r.Reader.PPR(ctx, q)
}

func retrievePPR(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := ppr(ctx, r)
	if err != nil {
		return found.Ranking, err
	}
	return r.RerankRanking(ctx, found.Ranking)
}

// answerPPR answers from the best chunks, in rank order, as far as they fit.
func answerPPR(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := ppr(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	a, chunks, err := r.AnswerRanked(ctx, found.Ranking)
	a.Traces = append(a.Traces, pprTrace(found, chunks))
	return a, err
}
