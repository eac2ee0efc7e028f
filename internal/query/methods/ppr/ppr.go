// Package ppr answers from chunks that walks from the facts nearest to a question lead to (HippoRAG 2,
// section 3).
package ppr

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "ppr",
	Summary: "chunks by walks from the facts that are near to the question, over entities and the chunks that mention them (HippoRAG 2)",
	Profile: query.Profile{
		Reads: "the chunks that the relationships nearest to the question lead to; with a model, only relationships that it chooses",
		Use:   "questions that need several facts",
		Uses:  []query.Artifact{query.Vectors, query.Synonyms},
		Paper: query.Paper{Name: "HippoRAG 2", Section: "3", URL: "https://arxiv.org/abs/2502.14802"},
		Calls: "2",
		Cost:  query.CostOf(2, 2, 7944, 8503, 114, 242),
	},
	Traces:   []query.Trace{Trace{}},
	Prompts:  []string{prompts.Facts},
	Scoped:   true,
	Unpinned: true,
	Tuning:   tuningNames(),
}, rankChunks)

// rankChunks ranks chunks. A model, if there is one, chooses among the facts.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := search(ctx, r)
	return found.Ranking, found.trace, err
}
