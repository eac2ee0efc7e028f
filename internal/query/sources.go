package query

import "github.com/neorag/neorag/internal/retrieve"

// A WalkedSource is a chunk with its share of the walks.
type WalkedSource struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// walkedSources names the chunks that walks came to.
func walkedSources(chunks []retrieve.Chunk) []WalkedSource {
	out := make([]WalkedSource, len(chunks))
	for i, c := range chunks {
		out[i] = WalkedSource{Key: c.Key, Name: sourceName(c.Title(), c.Index), Score: c.Score}
	}
	return out
}
