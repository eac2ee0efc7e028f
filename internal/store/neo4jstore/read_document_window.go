package neo4jstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
)

// ErrNoDocument means that a corpus has no such document.
var ErrNoDocument = errors.New("no such document")

// A DocumentWindow is a document with its chunks that have bytes of a range.
type DocumentWindow struct {
	Document DocumentLine // without the number of its chunks
	SHA256   string       // of the bytes that it was read from
	Length   int          // where its last chunk ends, counted as the range is
	Chunks   []PlacedChunk
}

// DocumentWindow reads the chunks of a document that have bytes from start to end, in order. A
// range is in the file, where a chunk is a part of it as it is, otherwise in the text that was made
// from it, as in references. It returns ErrNoDocument for an unknown key.
func (s *Store) DocumentWindow(ctx context.Context, corpus, document string, start, end int) (DocumentWindow, error) {
	found, err := rowsAs(ctx, s, readDocumentWindow, corpus, map[string]any{"document": document, "start": start, "end": end}, func(row documentWindowRow) DocumentWindow {
		for i := range row.Chunks {
			if row.Chunks[i].Row = row.Row; row.Row > 0 {
				row.Chunks[i].Line = row.Line
			}
		}
		return DocumentWindow{row.Document, row.SHA256, row.Length, row.Chunks}
	})
	if err == nil && len(found) == 0 {
		err = ErrNoDocument
	}
	if err != nil {
		return DocumentWindow{}, fmt.Errorf("read document %s of corpus %s: %w", graph.Local(document), corpus, err)
	}
	return found[0], nil
}

// DocumentPage reads at most limit documents after a key, in key order; "" is before all.
func (s *Store) DocumentPage(ctx context.Context, corpus, after string, limit int) ([]DocumentLine, error) {
	return readAll(ctx, s, readDocumentList, corpus, keyRange(corpus, after, limit), "list documents")
}
