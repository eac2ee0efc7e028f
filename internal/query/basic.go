package query

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/lang"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
)

var _ = register(Method{
	Name:    "basic",
	Summary: "the chunks nearest to the question: questions about a detail",
	answer:  answerBasic,
})

// candidateChunks is how many of the best chunks are read for one context.
const candidateChunks = 60

// answerBasic answers from the best chunks, in rank order, as far as they fit.
func answerBasic(ctx context.Context, e *Engine, q Question, _ int64) (Answer, error) {
	found, err := e.Retrieve(ctx, q.Text)
	if err != nil {
		return Answer{}, err
	}
	if len(found.Chunks) == 0 {
		return e.nothingFound(ctx)
	}
	best := found.Chunks[:min(candidateChunks, len(found.Chunks))]
	keys := make([]string, len(best))
	score := map[string]float64{}
	for i, c := range best {
		keys[i] = c.Key
		score[c.Key] = c.Score
	}
	rows, err := e.store.ChunkRows(ctx, e.options.Corpus, keys)
	if err != nil {
		return Answer{}, err
	}
	items := make([]rank.Item, len(rows))
	for i, r := range rows {
		items[i] = rank.Item{Key: r.Key, Tokens: r.NTokens}
	}
	packed := rank.Pack(items, q.ReduceTokens)
	d := draft{items: len(packed.Kept), tokens: packed.Tokens}
	for _, i := range packed.Kept {
		d.statements = append(d.statements, chunkStatements(rows[i], score[rows[i].Key])...)
	}
	rate(lang.ReadQuestion(q.Text), d.statements)
	for i := range d.statements {
		d.statements[i].score *= d.statements[i].weight
	}
	d.statements = choose(d.statements, approximateTokens, q.AnswerTokens, pointsPerGroup)
	if len(d.statements) == 0 {
		return e.nothingFound(ctx)
	}
	return e.finish(ctx, d, false)
}

// nothingFound answers a question whose words no chunk holds.
func (e *Engine) nothingFound(ctx context.Context) (Answer, error) {
	counts, err := e.store.Counts(ctx, e.options.Corpus)
	if err != nil {
		return Answer{}, err
	}
	if counts.Chunks == 0 {
		return Answer{}, fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", e.options.Corpus, ErrNotIndexed)
	}
	return Answer{Answer: "Nothing in this corpus speaks to the question."}, nil
}

// chunkStatements are the sentences of a chunk. Its weight is the rank score,
// brought to a half and more so that a good sentence of a lesser chunk can win.
func chunkStatements(row neo4jstore.ChunkRow, score float64) []statement {
	title := row.DocumentTitle
	if row.Date != "" {
		title = fmt.Sprintf("%s (%s)", title, row.Date)
	}
	var out []statement
	for _, s := range lang.Sentences(row.Text) {
		out = append(out, statement{
			text: foldSpace(row.Text[s.Start:s.End]), target: graph.Reference{Kind: graph.KindChunk, Key: row.Key},
			title: title, quote: span{s.Start, s.End}, group: row.Key,
			weight: .5 + .5*math.Max(0, math.Min(1, score)), first: len(out) == 0,
		})
	}
	return slices.DeleteFunc(out, func(s statement) bool { return len(s.text) < 2 })
}
