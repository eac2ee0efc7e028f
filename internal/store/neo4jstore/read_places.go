package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
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

// ChunkPlaces reads where chunks are. The line of a chunk of a record is that of the record.
func (s *Store) ChunkPlaces(ctx context.Context, corpus string, keys []string) ([]PlacedChunk, error) {
	found, err := rows(ctx, s, cypher.ReadChunkPlaces, corpus, map[string]any{"keys": keys}, func(v values) PlacedChunk {
		c := v.sub("chunk")
		p := PlacedChunk{
			Key: c.text("key"), Text: c.text("text"), Start: c.int("start"), Row: v.int("row"),
			ChunkPlace: graph.ChunkPlace{
				Line: c.int("line"), FileStart: c.int("file_start"), FileEnd: c.int("file_end"),
				Pages: c.ints("pages"), PageStarts: c.ints("page_starts"), Headings: c.texts("headings"), HeadingStarts: c.ints("heading_starts"),
			},
		}
		if p.Row > 0 {
			p.Line = v.int("line")
		}
		return p
	})
	if err != nil {
		return nil, fmt.Errorf("read the places of chunks of corpus %s: %w", corpus, err)
	}
	return found, nil
}
