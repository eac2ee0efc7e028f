package neo4jstore

import (
	"context"
)

// A CommunityPath is what entities of a chunk belong to: a community of each level, from a root
// down.
type CommunityPath struct {
	Chunk       string
	Communities []CommunityName // empty for entities without a community
	Entities    int             // of the chunk that have this path
}

// A CommunityName is a community with its label.
type CommunityName struct{ Key, Label string }

// CommunityPaths reads the paths of the entities that chunks mention, in a generation.
func (s *Store) CommunityPaths(ctx context.Context, corpus string, generation int64, chunks []string) ([]CommunityPath, error) {
	return readAll(ctx, s, readChunkCommunities, corpus, map[string]any{"keys": listOrEmpty(chunks), "generation": generation}, "read the communities of chunks")
}

// ChunkNeighbours reads the chunks next to chunks in their documents, by the keys of these.
func (s *Store) ChunkNeighbours(ctx context.Context, corpus string, chunks []string) (map[string][]string, error) {
	next := map[string][]string{}
	err := eachRow(ctx, s, readChunkNeighbours, corpus, map[string]any{"keys": listOrEmpty(chunks)}, func(row chunkNeighboursRow) {
		next[row.Chunk] = append(next[row.Chunk], row.Neighbour)
	})
	return next, wrap(err, "read the neighbours of chunks of corpus "+corpus)
}
