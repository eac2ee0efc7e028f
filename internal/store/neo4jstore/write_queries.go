package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// A PairWrite is a question-answer pair to write with its vector, or one that is as stored.
type PairWrite struct {
	QAPair

	Unchanged bool
	NTokens   int
	Vector    []float32
}

// A ChunkQueries is a chunk with all its pairs, and the vectors of its text with the questions
// appended: all of them, and those that are kept.
type ChunkQueries struct {
	Chunk        string
	QueriesFP    string
	PairsFP      string
	Unchanged    bool // only remove the mark
	Pairs        []PairWrite
	D2Q, D2QKept []float32
}

func (c *ChunkQueries) weight() int {
	n := 9*(len(c.D2Q)+len(c.D2QKept)) + vectorBytes/writeRows
	for i := range c.Pairs {
		n += 9*len(c.Pairs[i].Vector) + len(c.Pairs[i].Query) + len(c.Pairs[i].Answer) + vectorBytes/writeRows
	}
	return n
}

// WriteQueries writes the pairs of chunks, and deletes those that a chunk no longer has. A
// pair that changes, is new or is no longer kept loses its edges; it is marked for the stage
// link if it is kept, and so are the pairs that had an edge to it.
func (w *Writer) WriteQueries(ctx context.Context, dimension int, chunks []ChunkQueries) error {
	chunks = sortedBy(chunks, func(c ChunkQueries) string { return c.Chunk })
	weight := func(c ChunkQueries) int { return c.weight() }
	return batches(chunks, vectorBytes, weight, func(part []ChunkQueries) error {
		r, err := w.queryRowsOf(part, dimension)
		if err != nil {
			return err
		}
		return w.write(ctx, "queries", func(tx *transaction) error {
			if err := tx.steps(ctx, w.corpus, []rowStep{
				{cypher.WriteDone.For("Chunk", "queries"), r.unchanged, true},
				{cypher.WriteQueriesGone, r.keep, false},
			}); err != nil {
				return err
			}
			if len(r.changed) > 0 {
				if err := tx.each(ctx, cypher.WriteQueriesUnlinked, w.corpus, map[string]any{"keys": r.changed}, nil); err != nil {
					return err
				}
			}
			return tx.steps(ctx, w.corpus, []rowStep{{cypher.WriteQueries, r.pairs, true}, {cypher.WriteQueryChunks, r.chunks, true}})
		})
	})
}

// queryRows are the rows of a transaction of WriteQueries.
type queryRows struct {
	unchanged, keep, pairs, chunks []any
	changed                        []string // keys of pairs
}

func (w *Writer) queryRowsOf(part []ChunkQueries, dimension int) (queryRows, error) {
	var r queryRows
	for i := range part {
		c := &part[i]
		if c.Unchanged {
			r.unchanged = append(r.unchanged, map[string]any{"key": c.Chunk})
			continue
		}
		keys := make([]string, len(c.Pairs))
		for j := range c.Pairs {
			p := &c.Pairs[j]
			if keys[j] = p.Key; p.Unchanged {
				continue
			}
			vector, err := vectorOf(p.Vector, dimension)
			if err != nil {
				return r, fmt.Errorf("write vector of pair %s: %w", p.Key, err)
			}
			r.changed = append(r.changed, p.Key)
			r.pairs = append(r.pairs, map[string]any{"chunk": c.Chunk, "key": p.Key, "kept": p.Kept, "vector": vector, "set": map[string]any{
				"text": p.Query, "answer": p.Answer, "index": p.Index, "kept": p.Kept, "similarity": p.Similarity, "n_tokens": p.NTokens,
				"pair_fp": p.FP, "neighbours": 0, "name": caption(p.Query, 0, len(p.Query), captionRunes),
			}})
		}
		row := map[string]any{"key": c.Chunk, "queries_fp": c.QueriesFP, "pairs_fp": c.PairsFP, "queries": len(c.Pairs)}
		for name, vector := range map[string][]float32{"d2q": c.D2Q, "d2q_kept": c.D2QKept} {
			var err error
			if row[name], err = optionalVector(vector, dimension); err != nil {
				return r, fmt.Errorf("write vector of chunk %s with its questions: %w", c.Chunk, err)
			}
		}
		r.keep = append(r.keep, map[string]any{"key": c.Chunk, "keep": keys})
		r.chunks = append(r.chunks, row)
	}
	return r, nil
}

// WriteNeighbours writes the edges of pairs to their neighbours, and removes their marks of
// the stage link.
func (w *Writer) WriteNeighbours(ctx context.Context, pairs []Linked) error {
	return w.writeLinks(ctx, "neighbours", linkStatements{cypher.WriteSimilarGone, cypher.WriteSimilarQueries, cypher.WriteQueriesLinked}, pairs)
}

// SetQueries records how the pairs of the corpus are made and asked. It writes only what
// differs.
func (w *Writer) SetQueries(ctx context.Context, settings QuerySettings) error {
	same := func(c Corpus) bool { return c.Queries == settings }
	return w.setUnless(ctx, "query settings", same, settings.properties())
}
