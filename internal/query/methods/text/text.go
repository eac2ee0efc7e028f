// Package text answers from all chunks by map-reduce (GraphRAG, section 4.1.2, TS).
package text

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/synth"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "text",
	Summary: "map-reduce over all source chunks: thorough and expensive",
	Profile: query.Profile{
		Reads: "every chunk",
		Use:   "thorough answers; expensive with a model",
		Paper: query.GraphRAG("4.1.2, TS"),
		Calls: "1 for each 8,000 tokens of text, and 1",
		Cost:  query.CostOf(8, 8, 55000, 58000, 610, 4000),
	},
	Maps:   true,
	Shared: []string{"seed", "map-tokens"},
	Answer: answerText,
	Scoped: true,
})

// answerText is the TS condition of the GraphRAG paper (section 4.1.2): the map-reduce of global over the
// source text itself.
func answerText(ctx context.Context, r query.Request) (query.Answer, error) {
	chunks, err := r.Reader.AllChunks(ctx)
	if err != nil {
		return query.Answer{}, err
	}
	if len(chunks) == 0 {
		return r.Complete(ctx, synth.Draft{}, query.Completion{})
	}
	blocks := synth.ChunkBlocks(chunks)
	rank.Shuffle(r.Seed, blocks)
	d, err := r.Synthesizer().MapReduce(ctx, r.Synthesis(), blocks)
	if err != nil {
		return query.Answer{}, err
	}
	return r.Complete(ctx, d, query.Completion{Headings: true})
}
