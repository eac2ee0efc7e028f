package rq

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// searchSeveral searches for each of some questions as SearchChunks does, and fuses the
// rankings by rank.
func searchSeveral(ctx context.Context, r retrieve.Reader, questions []string, tuning retrieve.Tuning) (retrieve.Ranking, error) {
	var chunks, documents []rank.List
	var all retrieve.Ranking
	for _, question := range questions {
		found, err := r.SearchChunks(ctx, question, tuning)
		if err != nil {
			return retrieve.Ranking{}, err
		}
		chunks = append(chunks, rank.List{Keys: retrieve.ScoredKeys(found.Chunks)})
		documents = append(documents, rank.List{Keys: retrieve.ScoredKeys(found.Documents)})
		for _, note := range found.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
	}
	all.Chunks, all.Documents = rank.Fuse(chunks...), rank.Fuse(documents...)
	return all, nil
}
