// Package fused answers from the best chunks by everything that the index holds of them.
package fused

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "fused",
	Summary: "the best chunks by everything that the index holds of them: questions for a fact",
	Profile: query.Profile{
		Reads: "chunks ranked by full text, feedback, entities, facts, the graph and vectors",
		Use:   "questions for a fact",
		Uses:  []query.Artifact{query.Vectors},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7193, 7764, 79, 223),
	},
	Traces:   []query.Trace{Trace{}},
	Scoped:   true,
	Unpinned: true,
	Tuning:   TuningNames(),
	Paths:    Paths,
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := Search(ctx, r.Reader, Query{Question: r.Text, Paths: r.Paths, Tuning: r.Tuning, Snapshots: r.Snapshots})
	return found.Ranking, found.trace, err
}
