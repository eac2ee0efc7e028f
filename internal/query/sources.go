package query

import "github.com/neorag/neorag/internal/query/retrieve"

// A ScoredSource is a chunk, or what leads to chunks, with its score: of a chunk its share of walks,
// unless a method says something else.
type ScoredSource struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// scoredSources names chunks that a method ranked.
func ScoredSources(chunks []retrieve.Chunk) []ScoredSource {
	out := make([]ScoredSource, len(chunks))
	for i, c := range chunks {
		out[i] = ScoredSource{Key: c.Key, Name: SourceName(c.Title(), c.Index), Score: c.Score}
	}
	return out
}
