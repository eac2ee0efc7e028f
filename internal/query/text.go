package query

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/rank"
)

var _ = register(Method{
	Name:    "text",
	Summary: "map-reduce over all source chunks: thorough and expensive",
	answer:  answerText,
	bounded: true,
})

// chunkPage is how many chunks are read at a time.
const chunkPage = 1000

// answerText is the TS condition of the GraphRAG paper (section 4.1.2): the map-reduce of global over the
// source text itself.
func answerText(ctx context.Context, e *Engine, q Question, _ int64) (Answer, error) {
	var blocks []block
	for _, part := range e.parts() {
		own, err := part.allChunks(ctx)
		if err != nil {
			return Answer{}, err
		}
		blocks = append(blocks, own...)
	}
	if len(blocks) == 0 {
		return e.nothingFound(ctx)
	}
	rank.Shuffle(q.Seed, blocks)
	d, err := e.synthesis().mapReduce(ctx, q, blocks)
	if err != nil {
		return Answer{}, err
	}
	if len(d.statements) == 0 && !d.written {
		a, err := e.nothingFound(ctx)
		a.Usage, a.Notes = d.usage(), d.notes
		return a, err
	}
	return e.finish(ctx, d, true)
}

// allChunks are the chunks of one corpus that the question may be answered from.
func (e *Engine) allChunks(ctx context.Context) ([]block, error) {
	var blocks []block
	after := graph.Key(e.options.Corpus, "")
	for {
		page, err := e.store.ChunkRowPageInScope(ctx, e.options.Corpus, e.only, after, chunkPage)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return blocks, nil
		}
		after = page[len(page)-1].Key
		for _, row := range page {
			blocks = append(blocks, chunkBlock(row, 0))
		}
	}
}
