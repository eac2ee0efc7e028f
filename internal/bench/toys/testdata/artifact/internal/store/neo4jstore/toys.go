package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A ToyChunk is a chunk whose words are to be counted.
type ToyChunk struct {
	Key, Text string
	FP        string // of its number of words; empty if it has none
}

// PendingToys reads at most limit chunks with a mark of the stage toys after the given key, in key
// order.
func (s *Store) PendingToys(ctx context.Context, corpus, after string, limit int) ([]ToyChunk, error) {
	chunks, err := rows(ctx, s, readPendingToys, corpus, map[string]any{"after": after, "limit": limit})
	return chunks, wrap(err, "read chunks to count the words of, of corpus "+corpus)
}

// A ToyWrite is the number of words of a chunk.
type ToyWrite struct {
	Key       string
	FP        string
	Unchanged bool // only remove the mark
	Words     int
}

// WriteToys writes the numbers of words of chunks.
func (w *Writer) WriteToys(ctx context.Context, chunks []ToyWrite) error {
	return batches(sortedBy(chunks, func(c ToyWrite) string { return c.Key }), writeRows, countRow, func(part []ToyWrite) error {
		all := make([]any, len(part))
		for i, c := range part {
			row := map[string]any{"key": c.Key}
			if !c.Unchanged {
				row["set"] = map[string]any{"toys_fp": c.FP, "words": c.Words}
			}
			all[i] = row
		}
		return w.write(ctx, "toys", func(tx *transaction) error {
			return tx.rows(ctx, cypher.WriteDone.For("Chunk", "toys"), w.corpus, all, true)
		})
	})
}

func dropToys(ctx context.Context, w *Writer) error {
	return w.dropMade(ctx, "toys dropped", graph.KindChunk, "toys", "toys_fp", "words")
}
