package retrieve

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
)

// Chunks reads the chunks of a ranking, in its order. A chunk that is not in the
// store is left out.
func (r Reader) Chunks(ctx context.Context, ranked []rank.Scored) ([]Chunk, error) {
	keys := scoredKeys(ranked)
	byKey := make(map[string]Chunk, len(keys))
	for _, c := range r.corpora {
		own := keysOfCorpus(c.Name, keys)
		if len(own) == 0 {
			continue
		}
		rows, err := r.store.ChunkRows(ctx, c.Name, own)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			byKey[row.Key] = Chunk{ChunkRow: row}
		}
	}
	out := make([]Chunk, 0, len(byKey))
	for _, s := range ranked {
		if chunk, ok := byKey[s.Key]; ok {
			chunk.Score = s.Score
			out = append(out, chunk)
		}
	}
	return out, nil
}

// chunkPage is the number of chunks that AllChunks reads at a time.
const chunkPage = 1000

// AllChunks reads every chunk of the scope, corpus by corpus, in key order. Their
// scores are 0.
func (r Reader) AllChunks(ctx context.Context) ([]Chunk, error) {
	var out []Chunk
	for _, c := range r.corpora {
		after := graph.Key(c.Name, "")
		for {
			page, err := r.store.ChunkRowPageInScope(ctx, c.Name, c.Filter, after, chunkPage)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			after = page[len(page)-1].Key
			for _, row := range page {
				out = append(out, Chunk{ChunkRow: row})
			}
		}
	}
	return out, nil
}
