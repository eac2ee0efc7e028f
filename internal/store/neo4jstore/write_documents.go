package neo4jstore

import (
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A DocumentWrite is a document with all its chunks and their passages.
type DocumentWrite struct {
	Document  graph.Document // its text is not stored
	NTokens   int
	SourceFP  string
	ChunkFP   string
	Terms     string
	Lead      string
	Chunks    []graph.Chunk
	Passages  []graph.Passage
	Reextract bool // mark unchanged chunks for extraction too
	// Vectors of chunks by their keys. A new chunk that has one is not marked to be embedded.
	Vectors map[string]Embedded
}

// Bytes returns about how much memory the texts and vectors of the document take.
func (d *DocumentWrite) Bytes() int {
	n := len(d.Terms) + len(d.Lead)
	for i := range d.Chunks {
		n += len(d.Chunks[i].Text) + 300
	}
	for i := range d.Passages {
		n += len(d.Passages[i].Terms) + len(d.Passages[i].Pairs) + 300
	}
	for _, v := range d.Vectors {
		n += 4 * len(v.Vector)
	}
	return n
}

// Limits of one transaction that writes documents or deletes chunks. A chunk is deleted
// with its mentions, about twenty.
const (
	documentBytes = 4 << 20
	documentRows  = 5000
	chunksGone    = 1000
	documentPage  = 500
)

// WriteDocuments writes documents with all their chunks and passages. Chunks that a
// document no longer has are deleted with their mentions and claims, after everything
// derived from them is marked. New chunks are marked for extraction and embedding. The
// hash and fingerprints of a document are written with the deletion of its old chunks,
// or last for a document that is too large for one transaction, so that an interrupted
// write is repeated.
func (w *Writer) WriteDocuments(ctx context.Context, documents []DocumentWrite) error {
	documents = sortedBy(documents, func(d DocumentWrite) string { return d.Document.Key })
	for part := range slices.Chunk(documents, documentPage) {
		diffs, err := w.diffDocuments(ctx, part)
		if err != nil {
			return err
		}
		small := diffs[:0:0]
		for i := range diffs {
			if diffs[i].large() {
				if err := w.writeInParts(ctx, &diffs[i]); err != nil {
					return err
				}
				continue
			}
			small = append(small, diffs[i])
		}
		if err := batches(small, documentBytes, documentDiff.weight, func(group []documentDiff) error {
			err := w.writeWhole(ctx, group)
			if len(group) == 1 && isTooLarge(err) {
				return w.writeInParts(ctx, &group[0])
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// writeWhole writes documents in one transaction.
func (w *Writer) writeWhole(ctx context.Context, group []documentDiff) error {
	return w.write(ctx, "documents", func(tx *transaction) error {
		var stale []string
		var chunks []chunkDiff
		for i := range group {
			stale = append(stale, group[i].stale...)
			chunks = append(chunks, group[i].chunks...)
		}
		if err := tx.deleteChunks(ctx, w.corpus, stale); err != nil {
			return err
		}
		if err := tx.markPlaced(ctx, w.corpus, chunks); err != nil {
			return err
		}
		if err := tx.exactly(ctx, cypher.WriteDocuments, w.corpus, map[string]any{"rows": documentRowsOf(group)}, len(group)); err != nil {
			return err
		}
		return tx.writeChunks(ctx, w.corpus, chunks)
	})
}

// writeInParts writes a document in several transactions, its hash in the last one. From
// the first one on it has its URI and root, so that a later run finds what an interrupted
// one left of it, also if its file is gone.
func (w *Writer) writeInParts(ctx context.Context, d *documentDiff) error {
	err := w.write(ctx, "document opened", func(tx *transaction) error {
		return tx.exactly(ctx, cypher.WriteDocumentOpen, w.corpus, map[string]any{"rows": documentRowsOf([]documentDiff{*d})}, 1)
	})
	if err != nil {
		return err
	}
	if err := batches(d.chunks, documentBytes, chunkDiff.weight, func(part []chunkDiff) error {
		return w.write(ctx, "document part", func(tx *transaction) error {
			if err := tx.markPlaced(ctx, w.corpus, part); err != nil {
				return err
			}
			return tx.writeChunks(ctx, w.corpus, part)
		})
	}); err != nil {
		return err
	}
	if err := w.deleteChunks(ctx, d.stale); err != nil {
		return err
	}
	return w.write(ctx, "document closed", func(tx *transaction) error {
		return tx.exactly(ctx, cypher.WriteDocuments, w.corpus, map[string]any{"rows": documentRowsOf([]documentDiff{*d})}, 1)
	})
}

// RemoveDocuments deletes documents with their chunks, after everything derived from
// them is marked. Keys that do not exist are skipped.
func (w *Writer) RemoveDocuments(ctx context.Context, keys []string) error {
	keys = slices.Sorted(slices.Values(keys))
	for part := range slices.Chunk(keys, documentPage) {
		contents, err := w.storedDocuments(ctx, part)
		if err != nil {
			return err
		}
		var stale []string
		for _, key := range part {
			stale = append(stale, contents[key].Chunks...)
		}
		slices.Sort(stale)
		params := map[string]any{"keys": part}
		if len(stale) > chunksGone {
			if err := w.write(ctx, "documents unhashed", func(tx *transaction) error {
				return tx.each(ctx, cypher.WriteDocumentsUnhashed, w.corpus, params, nil)
			}); err != nil {
				return err
			}
			if err := w.deleteChunks(ctx, stale); err != nil {
				return err
			}
			stale = nil
		}
		if err := w.write(ctx, "documents removed", func(tx *transaction) error {
			if err := tx.deleteChunks(ctx, w.corpus, stale); err != nil {
				return err
			}
			return tx.each(ctx, cypher.WriteDocumentsGone, w.corpus, params, nil)
		}); err != nil {
			return err
		}
	}
	return nil
}

// MoveDocuments sets the root of documents whose content is unchanged.
func (w *Writer) MoveDocuments(ctx context.Context, keys []string, root string) error {
	return w.writeKeys(ctx, "documents moved", cypher.WriteDocumentsMoved, keys, map[string]any{"root": root})
}

// PlaceDocuments sets the rows and lines of records whose content is unchanged.
func (w *Writer) PlaceDocuments(ctx context.Context, places []DocumentState) error {
	rows := make([]any, len(places))
	for i, d := range places {
		rows[i] = map[string]any{"key": d.Key, "row": d.Row, "line": d.Line}
	}
	return w.writeSorted(ctx, "documents placed", rowStep{cypher.WriteDocumentsPlaced, rows, false})
}

// deleteChunks deletes chunks in as many transactions as necessary.
func (w *Writer) deleteChunks(ctx context.Context, keys []string) error {
	return batches(keys, chunksGone, countRow, func(part []string) error {
		return w.write(ctx, "chunks removed", func(tx *transaction) error { return tx.deleteChunks(ctx, w.corpus, part) })
	})
}

// deleteChunks marks everything derived from chunks, then deletes them.
func (t *transaction) deleteChunks(ctx context.Context, corpus string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	params := map[string]any{"keys": keys}
	if err := t.each(ctx, cypher.WriteChunksMarked, corpus, params, nil); err != nil {
		return err
	}
	claims := make([]any, len(keys))
	for i, key := range keys {
		claims[i] = map[string]any{"key": key, "keep": []string{}}
	}
	if err := t.rows(ctx, cypher.WriteClaimsGone, corpus, claims, false); err != nil {
		return err
	}
	return t.each(ctx, cypher.WriteChunksGone, corpus, params, nil)
}
