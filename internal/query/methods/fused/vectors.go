package fused

import (
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// addVectors adds how near the nearest chunks are to the question, and for each document its nearest.
func (f *fusion) addVectors(s *partSearch) {
	near := newChunkScores()
	for _, h := range rank.MinMax(retrieve.ByVector(s.hits.ChunkVectors).Chunks) {
		near.best(f, h.Key, h.Score)
	}
	f.add(s, near, func(e *rank.Features) *float64 { return &e.Vectors })
}
