package query

import (
	"context"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/synth"
)

var _ = register(Method{
	Name:     "basic",
	Summary:  "the chunks nearest to the question: questions about a detail",
	answer:   answerBasic,
	retrieve: retrieveBasic,
	scoped:   true,
	unpinned: true,
	tuning:   retrieve.TuningNames(),
})

// answerBasic answers from the best chunks, in rank order, as far as they fit.
func answerBasic(ctx context.Context, r request) (Answer, error) {
	found, err := retrieveBasic(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	return r.answerChunks(ctx, found)
}

func retrieveBasic(ctx context.Context, r request) (retrieve.Ranking, error) {
	return r.reader.SearchChunks(ctx, r.Text, r.Tuning)
}

// answerChunks answers from ranked chunks, in their order, as far as they fit.
func (r request) answerChunks(ctx context.Context, found retrieve.Ranking) (Answer, error) {
	if len(found.Chunks) == 0 {
		return r.complete(ctx, synth.Draft{}, completion{})
	}
	chunks, err := r.reader.Chunks(ctx, found.Chunks[:min(retrieve.CandidateChunks, len(found.Chunks))])
	if err != nil {
		return Answer{}, err
	}
	items := make([]rank.Item, len(chunks))
	known := cite.Known{}
	for i, c := range chunks {
		items[i] = rank.Item{Key: c.Key, Tokens: c.NTokens}
		known.AddChunk(c.ChunkRow)
	}
	packed := rank.Pack(items, r.contextBudget(r.ReduceTokens))
	blocks := make([]synth.Block, 0, len(packed.Kept))
	for _, i := range packed.Kept {
		blocks = append(blocks, synth.ChunkBlock(chunks[i]))
	}
	d, err := r.synthesizer().Answer(ctx, r.synthesis(), blocks)
	if err != nil {
		return Answer{}, err
	}
	if !d.Empty() {
		d.Notes = append(d.Notes, found.Notes...)
	}
	return r.complete(ctx, d, completion{known: known})
}
