package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
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
	chunks, err := rows(ctx, s, cypher.ReadDocumentChunks, corpus, map[string]any{"document": document}, func(v values) ChunkState {
		c := v.sub("chunk")
		return ChunkState{Chunk: chunkOf(v), ExtractFP: c.text("extract_fp"), ExtractSum: c.text("extract_sum"), Pending: v.flag("pending")}
	})
	if err != nil {
		return nil, fmt.Errorf("read chunks of document %s: %w", document, err)
	}
	return chunks, nil
}

func chunkOf(v values) graph.Chunk {
	c := v.sub("chunk")
	return graph.Chunk{
		Key: c.text("key"), Document: v.text("document"), Text: c.text("text"), Index: c.int("index"),
		NTokens: c.int("n_tokens"), Start: c.int("start"), End: c.int("end"),
	}
}

// fewChunks is up to how many marked chunks are cheaper to look at on every
// page than the documents are to walk through.
const fewChunks = 2000

// PendingDocuments lists at most limit documents, after the key given, that
// have a chunk to extract.
func (s *Store) PendingDocuments(ctx context.Context, corpus, afterDocument string, limit int) ([]string, error) {
	var keys []string
	key := func(v values) string { return v.text("key") }
	from := graph.Key(corpus, "")
	params := keyRange(corpus, afterDocument, limit)
	params["from"] = from
	found, err := rows(ctx, s, cypher.ReadPendingChunks, corpus, map[string]any{"after": from, "limit": fewChunks + 1},
		func(v values) int { return v.int("n") })
	switch {
	case err != nil || len(found) == 0 || found[0] == 0:
	case found[0] <= fewChunks:
		keys, err = rows(ctx, s, cypher.ReadPendingDocumentsFew, corpus, params, key)
	default:
		keys, err = rows(ctx, s, cypher.ReadPendingDocumentsMany, corpus, params, key)
	}
	if err != nil {
		return nil, fmt.Errorf("list documents of corpus %s to extract: %w", corpus, err)
	}
	return keys, nil
}

// ChunksByKey reads chunks in the order of the keys; one that does not exist is left out.
func (s *Store) ChunksByKey(ctx context.Context, corpus string, keys []string) ([]graph.Chunk, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := rows(ctx, s, cypher.ReadChunksByKey, corpus, map[string]any{"keys": keys}, chunkOf)
	if err != nil {
		return nil, fmt.Errorf("read chunks of corpus %s: %w", corpus, err)
	}
	byKey := make(map[string]graph.Chunk, len(found))
	for _, c := range found {
		byKey[c.Key] = c
	}
	chunks := make([]graph.Chunk, 0, len(keys))
	for _, key := range keys {
		if c, ok := byKey[key]; ok {
			chunks = append(chunks, c)
		}
	}
	return chunks, nil
}

// ChunkPage reads at most limit chunks whose keys follow after, in key order.
func (s *Store) ChunkPage(ctx context.Context, corpus, afterKey string, limit int) ([]graph.Chunk, error) {
	chunks, err := rows(ctx, s, cypher.ReadChunkPage, corpus, keyRange(corpus, afterKey, limit), chunkOf)
	if err != nil {
		return nil, fmt.Errorf("read chunks of corpus %s: %w", corpus, err)
	}
	return chunks, nil
}
