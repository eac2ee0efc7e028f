package query

import (
	"context"

	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/synth"
)

var _ = register(Method{
	Name:    "text",
	Summary: "map-reduce over all source chunks: thorough and expensive",
	answer:  answerText,
	scoped:  true,
})

// answerText is the TS condition of the GraphRAG paper (section 4.1.2): the map-reduce of global over the
// source text itself.
func answerText(ctx context.Context, r request) (Answer, error) {
	chunks, err := r.reader.AllChunks(ctx)
	if err != nil {
		return Answer{}, err
	}
	if len(chunks) == 0 {
		return r.complete(ctx, synth.Draft{}, completion{})
	}
	blocks := make([]synth.Block, len(chunks))
	for i, c := range chunks {
		blocks[i] = synth.ChunkBlock(c)
	}
	rank.Shuffle(r.Seed, blocks)
	d, err := r.synthesizer().MapReduce(ctx, r.synthesis(), blocks)
	if err != nil {
		return Answer{}, err
	}
	return r.complete(ctx, d, completion{headings: true})
}
