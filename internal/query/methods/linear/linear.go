// Package linear answers from chunks that walks over sentences and entities lead to (LinearRAG,
// section 3).
package linear

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
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
	Traces:   []query.Trace{Trace{}},
	Scoped:   true,
	Unpinned: true,
	Tuning:   tuningNames(),
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := search(ctx, r)
	return found.Ranking, found.trace, err
}
