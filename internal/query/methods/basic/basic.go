// Package basic answers from the chunks nearest to the question (GraphRAG, section 4.1.2, SS).
package basic

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
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
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.TuningNames(),
	Paths:    []string{retrieve.PathText, retrieve.PathVectors},
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := r.Reader.SearchChunks(ctx, r.Text, r.Tuning, r.Paths...)
	return found, nil, err
}
