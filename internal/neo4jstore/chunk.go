package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// A ChunkState is a chunk with what its extraction was made with.
type ChunkState struct {
	graph.Chunk
	ExtractFP  string
	ExtractSum string
	Pending    bool // marked for extraction
}

// DocumentChunks lists the chunks of a document in their order.
func (s *Store) DocumentChunks(ctx context.Context, corpus, document string) ([]ChunkState, error) {
	return nil, errors.ErrUnsupported
}

// PendingDocuments lists at most limit documents, after the key given, that
// have a chunk to extract.
func (s *Store) PendingDocuments(ctx context.Context, corpus, afterDocument string, limit int) ([]string, error) {
	return nil, errors.ErrUnsupported
}

// ChunksByKey reads chunks in the order of the keys; one that does not exist is left out.
func (s *Store) ChunksByKey(ctx context.Context, corpus string, keys []string) ([]graph.Chunk, error) {
	return nil, errors.ErrUnsupported
}

// ChunkPage reads at most limit chunks whose keys follow after, in key order.
func (s *Store) ChunkPage(ctx context.Context, corpus, afterKey string, limit int) ([]graph.Chunk, error) {
	return nil, errors.ErrUnsupported
}
