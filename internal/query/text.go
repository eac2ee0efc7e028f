package query

import (
	"context"

	"github.com/neorag/neorag/internal/rank"
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
	rows, err := r.reader.AllChunks(ctx)
	if err != nil {
		return Answer{}, err
	}
	if len(rows) == 0 {
		return r.nothingFound(ctx)
	}
	blocks := make([]block, len(rows))
	for i, row := range rows {
		blocks[i] = chunkBlock(row, 0)
	}
	rank.Shuffle(r.Seed, blocks)
	d, err := r.synthesis().mapReduce(ctx, r.Question, blocks)
	if err != nil {
		return Answer{}, err
	}
	if len(d.statements) == 0 && !d.written {
		a, err := r.nothingFound(ctx)
		a.Usage, a.Notes = d.usage(), d.notes
		return a, err
	}
	return r.finish(ctx, d, true)
}
