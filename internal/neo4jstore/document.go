package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// A DocumentState is what decides whether a document has to be read again.
type DocumentState struct {
	Key      string
	URI      string
	Root     string
	SHA256   string // empty while its write is not complete
	SourceFP string
	ChunkFP  string
	NTokens  int
}

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

// Documents lists the documents of the corpus by key.
func (s *Store) Documents(ctx context.Context, corpus string) ([]DocumentState, error) {
	return nil, errors.ErrUnsupported
}

// WriteDocuments writes documents with their chunks and passages.
func (l *Lane) WriteDocuments(ctx context.Context, documents []DocumentWrite) error {
	return errors.ErrUnsupported
}

// RemoveDocuments deletes documents with all that hangs on them.
func (l *Lane) RemoveDocuments(ctx context.Context, keys []string) error {
	return errors.ErrUnsupported
}
