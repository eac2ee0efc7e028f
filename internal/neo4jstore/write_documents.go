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
}

// Limits of one transaction that writes documents or deletes chunks. A chunk
// takes its mentions, about twenty, along.
const (
	documentBytes = 4 << 20
	documentRows  = 5000
	chunksGone    = 1000
	documentsRead = 500
)

// WriteDocuments writes documents with all their chunks and passages: the
// chunks that a document no longer has are deleted with what hangs on them,
// after what they were evidence for is marked; new ones are marked for
// extraction and embedding. A document's hash and fingerprints appear with the
// deletion of its old chunks, or at the end of a document too large for one
// transaction, so that an interrupted write is done again.
func (l *Writer) WriteDocuments(ctx context.Context, documents []DocumentWrite) error {
	documents = sortedBy(documents, func(d DocumentWrite) string { return d.Document.Key })
	for part := range slices.Chunk(documents, documentsRead) {
		plans, err := l.plan(ctx, part)
		if err != nil {
			return err
		}
		small := plans[:0:0]
		for i := range plans {
			if plans[i].large() {
				if err := l.writeLarge(ctx, &plans[i]); err != nil {
					return err
				}
				continue
			}
			small = append(small, plans[i])
		}
		if err := batches(small, documentBytes, documentPlan.weight, func(group []documentPlan) error {
			err := l.writeTogether(ctx, group)
			if len(group) == 1 && tooMuch(err) {
				return l.writeLarge(ctx, &group[0])
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// writeTogether writes whole documents in one transaction.
func (l *Writer) writeTogether(ctx context.Context, group []documentPlan) error {
	return l.write(ctx, "documents", func(tx *transaction) error {
		var stale []string
		var chunks []chunkPlan
		for i := range group {
			stale = append(stale, group[i].stale...)
			chunks = append(chunks, group[i].chunks...)
		}
		if err := tx.deleteChunks(ctx, l.corpus, stale); err != nil {
			return err
		}
		if err := tx.exactly(ctx, cypher.WriteDocuments, l.corpus, map[string]any{"rows": documentRowsOf(group)}, len(group)); err != nil {
			return err
		}
		return tx.writeChunks(ctx, l.corpus, chunks)
	})
}

// writeLarge writes one document in several transactions, its hash in the last.
func (l *Writer) writeLarge(ctx context.Context, d *documentPlan) error {
	err := l.write(ctx, "document opened", func(tx *transaction) error {
		return tx.exactly(ctx, cypher.WriteDocumentOpen, l.corpus, map[string]any{"keys": []string{d.key}}, 1)
	})
	if err != nil {
		return err
	}
	if err := batches(d.chunks, documentBytes, chunkPlan.weight, func(part []chunkPlan) error {
		return l.write(ctx, "document part", func(tx *transaction) error { return tx.writeChunks(ctx, l.corpus, part) })
	}); err != nil {
		return err
	}
	if err := l.deleteChunks(ctx, d.stale); err != nil {
		return err
	}
	return l.write(ctx, "document closed", func(tx *transaction) error {
		return tx.exactly(ctx, cypher.WriteDocuments, l.corpus, map[string]any{"rows": documentRowsOf([]documentPlan{*d})}, 1)
	})
}

// RemoveDocuments deletes documents with all that hangs on them, after what
// they were evidence for is marked. Keys that do not exist are passed over.
func (l *Writer) RemoveDocuments(ctx context.Context, keys []string) error {
	keys = slices.Sorted(slices.Values(keys))
	for part := range slices.Chunk(keys, documentsRead) {
		contents, err := l.contents(ctx, part)
		if err != nil {
			return err
		}
		var stale []string
		for _, key := range part {
			stale = append(stale, contents[key].chunks...)
		}
		slices.Sort(stale)
		params := map[string]any{"keys": part}
		if len(stale) > chunksGone {
			if err := l.write(ctx, "documents unhashed", func(tx *transaction) error {
				return tx.each(ctx, cypher.WriteDocumentsUnhashed, l.corpus, params, nil)
			}); err != nil {
				return err
			}
			if err := l.deleteChunks(ctx, stale); err != nil {
				return err
			}
			stale = nil
		}
		if err := l.write(ctx, "documents removed", func(tx *transaction) error {
			if err := tx.deleteChunks(ctx, l.corpus, stale); err != nil {
				return err
			}
			return tx.each(ctx, cypher.WriteDocumentsGone, l.corpus, params, nil)
		}); err != nil {
			return err
		}
	}
	return nil
}

// deleteChunks deletes chunks in as many transactions as they need.
func (l *Writer) deleteChunks(ctx context.Context, keys []string) error {
	return batches(keys, chunksGone, eachOne, func(part []string) error {
		return l.write(ctx, "chunks removed", func(tx *transaction) error { return tx.deleteChunks(ctx, l.corpus, part) })
	})
}

// deleteChunks marks what chunks were evidence for, then deletes them.
func (t *transaction) deleteChunks(ctx context.Context, corpus string, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	params := map[string]any{"keys": keys}
	if err := t.each(ctx, cypher.WriteChunksMarked, corpus, params, nil); err != nil {
		return err
	}
	return t.each(ctx, cypher.WriteChunksGone, corpus, params, nil)
}
