package query

import (
	"context"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/synth"
)

var _ = Register(Method{
	Name:    "text",
	Summary: "map-reduce over all source chunks: thorough and expensive",
	Profile: Profile{
		Reads: "every chunk",
		Use:   "thorough answers; expensive with a model",
		Paper: PaperOf(graphRAG, "4.1.2, TS"),
		Calls: "1 for each 8,000 tokens of text, and 1",
		Cost:  Cost{Calls: Range{8, 8}, TokensIn: Range{55000, 58000}, TokensOut: Range{610, 4000}},
	},
	Maps:   true,
	Answer: answerText,
	Scoped: true,
})

// answerText is the TS condition of the GraphRAG paper (section 4.1.2): the map-reduce of global over the
// source text itself.
func answerText(ctx context.Context, r Request) (Answer, error) {
	chunks, err := r.Reader.AllChunks(ctx)
	if err != nil {
		return Answer{}, err
	}
	if len(chunks) == 0 {
		return r.Complete(ctx, synth.Draft{}, Completion{})
	}
	blocks := make([]synth.Block, len(chunks))
	for i, c := range chunks {
		blocks[i] = synth.ChunkBlock(c)
	}
	rank.Shuffle(r.Seed, blocks)
	d, err := r.Synthesizer().MapReduce(ctx, r.Synthesis(), blocks)
	if err != nil {
		return Answer{}, err
	}
	return r.Complete(ctx, d, Completion{Headings: true})
}
