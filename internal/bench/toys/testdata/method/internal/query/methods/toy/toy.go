// Package toy answers from the chunks that full text finds.
package toy

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "toy",
	Summary: "the chunks nearest to the question by full text: names and rare words",
	Profile: query.Profile{
		Reads: "the closest chunks, by full text",
		Use:   "names and rare words",
		Paper: query.GraphRAG("4.1.2, SS"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7300, 7700, 74, 170),
	},
	Scoped:   true,
	Unpinned: true,
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := r.Reader.SearchChunks(ctx, r.Text, nil, retrieve.PathText)
	return found, nil, err
}
