// Package rq answers from the chunks nearest to the questions that a model makes of one (RQ-RAG,
// section 2).
package rq

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "rq",
	Summary: "the chunks nearest to the question as a model rewrites, decomposes or disambiguates it (RQ-RAG); needs a chat model",
	Profile: query.Profile{
		Reads:      "the closest chunks to the question and to the questions that a model makes of it, fused by rank",
		Use:        "questions of several parts",
		Uses:       []query.Artifact{query.Vectors},
		NeedsModel: true,
		Paper:      query.Paper{Name: "RQ-RAG", Section: "2", URL: "https://arxiv.org/abs/2404.00610"},
		Calls:      "2",
		Cost:       query.CostOf(2, 2, 7741, 8166, 78, 185),
	},
	Traces:   []query.Trace{Trace{}},
	Prompts:  []string{prompts.Refine},
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.TuningNames(),
}, rankChunks)

// rankChunks searches for the question and for what the model makes of it, each as basic does,
// and fuses the rankings by rank.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	r.Step("questions", 0, 0)
	refined, err := expand.Refine(ctx, r.Asker(expand.TaskRefine), r.Text)
	unchanged := expand.Refinement{Kind: "none", Questions: []string{}}
	refined, notes, err := query.Fallback(ctx, refined, err, unchanged, "The model did not refine the question, so the search used it unchanged")
	if err != nil {
		return retrieve.Ranking{}, nil, err
	}
	r.Step("retrieving", 0, 0)
	found, err := searchSeveral(ctx, r.Reader, append([]string{r.Text}, refined.Questions...), r.Tuning)
	found.Notes = append(notes, found.Notes...)
	return found, func([]retrieve.Chunk) query.Trace { return Trace{refined} }, err
}
