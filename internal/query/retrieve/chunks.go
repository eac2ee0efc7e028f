package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Chunks reads the chunks of a ranking, in its order. A chunk that is not in the
// store is left out.
func (r Reader) Chunks(ctx context.Context, ranked []rank.Scored) ([]Chunk, error) {
	rows, err := readKeys(ctx, r, ScoredKeys(ranked), r.Store.ChunkRows)
	if err != nil {
		return nil, err
	}
	byKey := make(map[string]neo4jstore.ChunkRow, len(rows))
	for _, row := range rows {
		byKey[row.Key] = row
	}
	out := make([]Chunk, 0, len(byKey))
	for _, s := range ranked {
		if row, ok := byKey[s.Key]; ok {
			out = append(out, Chunk{ChunkRow: row, Score: s.Score})
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
	for _, c := range r.Corpora {
		after := graph.Key(c.Name, "")
		for {
			page, err := r.Store.ChunkRowPageInScope(ctx, c.Name, c.Filter, after, chunkPage)
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

// RankedChunks ranks chunks by the weights of what they mention and by their similarity.
func RankedChunks(near neo4jstore.Neighborhood, similar map[string]float64) []Chunk {
	var out []Chunk
	top := 0.
	add := func(row neo4jstore.ChunkRow, score float64) {
		out = append(out, Chunk{ChunkRow: row, Score: score})
		top = max(top, score)
	}
	for _, row := range near.Mentioned {
		add(row, near.Weights[row.Key])
	}
	for _, row := range near.Chunks {
		if _, mentions := near.Weights[row.Key]; !mentions {
			add(row, similar[row.Key])
		}
	}
	for i := range out {
		out[i].Score /= cmp.Or(top, 1)
	}
	slices.SortFunc(out, func(a, b Chunk) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
	return out
}

// Relative returns the scores of a list by key, of which the best becomes the weight.
func Relative(list []rank.Scored, weight float64) map[string]float64 {
	out := make(map[string]float64, len(list))
	top := 0.
	for _, s := range list {
		top = max(top, s.Score)
	}
	for _, s := range list {
		out[s.Key] = weight * s.Score / cmp.Or(top, 1)
	}
	return out
}

// PlacesOf returns the place of each key in a list.
func PlacesOf(keys []string) map[string]int {
	at := make(map[string]int, len(keys))
	for i, key := range keys {
		at[key] = i
	}
	return at
}

// ByScore orders what was ranked, best first.
func ByScore(a, b rank.Scored) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
}

// Place returns the place of a key, or one behind all places.
func Place(at map[string]int, key string) int {
	if i, ok := at[key]; ok {
		return i
	}
	return len(at)
}
