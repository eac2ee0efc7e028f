package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A ChunkRow is a chunk with the properties of its document that answers show.
type ChunkRow struct {
	graph.Chunk
	DocumentURI   string
	DocumentTitle string
	Date          string
}

// ChunkRows reads chunks by key, in the order of the keys. Keys that do not exist are
// skipped.
func (s *Store) ChunkRows(ctx context.Context, corpus string, keys []string) ([]ChunkRow, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.chunkRows(ctx, readChunkRows, corpus, map[string]any{"keys": keys})
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]ChunkRow, len(found))
	for _, row := range found {
		byKey[row.Key] = row
	}
	ordered := make([]ChunkRow, 0, len(keys))
	for _, key := range keys {
		if row, ok := byKey[key]; ok {
			ordered = append(ordered, row)
		}
	}
	return ordered, nil
}

// ChunkRowPage reads at most limit chunks with keys after the given one, in key order.
func (s *Store) ChunkRowPage(ctx context.Context, corpus, after string, limit int) ([]ChunkRow, error) {
	return s.chunkRows(ctx, readChunkRowPage, corpus, keyRange(corpus, after, limit))
}

// ChunkRowPageInScope is ChunkRowPage for the chunks of a scope.
func (s *Store) ChunkRowPageInScope(ctx context.Context, corpus string, w *Scope, after string, limit int) ([]ChunkRow, error) {
	if w == nil {
		return s.ChunkRowPage(ctx, corpus, after, limit)
	}
	return s.chunkRows(ctx, readChunkRowPageInScope, corpus, w.params(keyRange(corpus, after, limit)))
}

func (s *Store) chunkRows(ctx context.Context, st typed[ChunkRow], corpus string, params map[string]any) ([]ChunkRow, error) {
	return readAll(ctx, s, st, corpus, params, "read chunks")
}

// keyRange returns the parameters of a page of the keys of a corpus: they start with
// "<corpus>/", and "0" is the byte after "/".
func keyRange(corpus, after string, limit int) map[string]any {
	return map[string]any{"after": max(after, graph.Key(corpus, "")), "end": corpus + "0", "limit": limit}
}

// A ChunkState is a chunk with the fingerprint of its extraction.
type ChunkState struct {
	graph.Chunk
	ExtractFP  string
	ExtractSum string
	Pending    bool // marked for extraction
}

// DocumentChunks reads the chunks of a document in order.
func (s *Store) DocumentChunks(ctx context.Context, corpus, document string) ([]ChunkState, error) {
	chunks, err := pageSpec[ChunkState]{
		statement: readDocumentChunks, corpus: corpus, params: map[string]any{"document": document}, key: func(c ChunkState) string { return c.Key },
	}.all(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("read chunks of document %s: %w", document, err)
	}
	slices.SortFunc(chunks, func(a, b ChunkState) int { return cmp.Compare(a.Index, b.Index) })
	return chunks, nil
}
