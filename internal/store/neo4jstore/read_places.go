package neo4jstore

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
)

// A PlacedChunk is a chunk with its place in the file of its document.
type PlacedChunk struct {
	graph.ChunkPlace
	Key   string
	Text  string
	Start int // byte offset in the document's text
	Row   int // of the record that the document is made of, from 1; 0 for none
}

// ChunkPlaces reads where chunks are. The line of a chunk of a record is the line of the record.
func (s *Store) ChunkPlaces(ctx context.Context, corpus string, keys []string) ([]PlacedChunk, error) {
	found, err := rowsAs(ctx, s, readChunkPlaces, corpus, map[string]any{"keys": keys}, func(row chunkPlacesRow) PlacedChunk {
		p := row.Chunk
		if p.Row = row.Row; p.Row > 0 {
			p.Line = row.Line
		}
		return p
	})
	return found, wrap(err, "read the positions of chunks of corpus "+corpus)
}
