package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

var _ = register(Method{
	Name:    "basic",
	Summary: "the chunks nearest to the question: questions about a detail",
	answer:  answerBasic,
	retrieve: func(ctx context.Context, r request) (Retrieved, error) {
		return r.reader.nearest(ctx, r.Question)
	},
	scoped:   true,
	unpinned: true,
	tunes:    searchTunes,
})

// candidateChunks is how many of the best chunks are read for one context.
const candidateChunks = 60

// answerBasic answers from the best chunks, in rank order, as far as they fit.
func answerBasic(ctx context.Context, r request) (Answer, error) {
	found, err := r.reader.nearest(ctx, r.Question)
	if err != nil {
		return Answer{}, err
	}
	return r.answerChunks(ctx, found)
}

// answerChunks answers from ranked chunks, in their order, as far as they fit.
func (r request) answerChunks(ctx context.Context, found Retrieved) (Answer, error) {
	if len(found.Chunks) == 0 {
		return r.nothingFound(ctx)
	}
	best := found.Chunks[:min(candidateChunks, len(found.Chunks))]
	keys := make([]string, len(best))
	score := map[string]float64{}
	for i, c := range best {
		keys[i] = c.Key
		score[c.Key] = c.Score
	}
	rows, err := r.reader.ChunkRows(ctx, keys)
	if err != nil {
		return Answer{}, err
	}
	items := make([]rank.Item, len(rows))
	for i, row := range rows {
		items[i] = rank.Item{Key: row.Key, Tokens: row.NTokens}
	}
	packed := rank.Pack(items, r.ReduceTokens)
	blocks := make([]block, 0, len(packed.Kept))
	for _, i := range packed.Kept {
		blocks = append(blocks, chunkBlock(rows[i], score[rows[i].Key]))
	}
	d, err := r.synthesis().answer(ctx, r.Question, blocks)
	if err != nil {
		return Answer{}, err
	}
	if len(d.statements) == 0 && !d.written {
		a, err := r.nothingFound(ctx)
		a.Usage, a.Notes = d.usage(), d.notes
		return a, err
	}
	d.notes, d.known = append(d.notes, found.Notes...), known{}
	for _, row := range rows {
		d.known.chunk(row)
	}
	return r.finish(ctx, d, false)
}

// chunkBlock makes a block of a chunk with its rank score. Its statements are its
// sentences, or the messages of a chat, which say little without their speaker;
// they weigh so that a good sentence of a lesser chunk can win.
func chunkBlock(row neo4jstore.ChunkRow, score float64) block {
	return block{
		key: row.Key, kind: graph.KindChunk, title: chunkTitle(row), text: row.Text, tokens: row.NTokens,
		weight: score, say: func(b *block) []statement { return b.quote(row.Text, b.title, .3+.7*max(0, min(1, b.weight))) },
	}
}

// chunkTitle names a chunk by its document.
func chunkTitle(row neo4jstore.ChunkRow) string {
	if row.Date != "" {
		return fmt.Sprintf("%s (%s)", row.DocumentTitle, row.Date)
	}
	return row.DocumentTitle
}

// nothingFound answers a question whose words no chunk holds.
func (r request) nothingFound(ctx context.Context) (Answer, error) {
	if err := r.reader.CheckChunks(ctx); err != nil {
		return Answer{}, err
	}
	if r.reader.Filtered() {
		return Answer{Answer: "Nothing that the filter leaves speaks to the question."}, nil
	}
	return Answer{Answer: "Nothing in this corpus speaks to the question."}, nil
}

// sentences are the units that an answer quotes.
func sentences(text string) []span {
	var out []span
	if !textproc.IsChat(text) {
		for _, s := range textproc.Sentences(text) {
			out = append(out, span{s.Start, s.End})
		}
		return out
	}
	at := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRight(line, "\r\n")
		if trimmed != "" {
			out = append(out, span{at, at + len(trimmed)})
		}
		at += len(line)
	}
	return out
}
