package retrieve

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
)

// SearchSeveral searches for each of some questions as SearchChunks does, and fuses the
// rankings by rank.
func (r Reader) SearchSeveral(ctx context.Context, questions []string, tuning Tuning) (Ranking, error) {
	var chunks, documents []rank.List
	var all Ranking
	for _, question := range questions {
		found, err := r.SearchChunks(ctx, question, tuning)
		if err != nil {
			return Ranking{}, err
		}
		chunks = append(chunks, rank.List{Keys: scoredKeys(found.Chunks)})
		documents = append(documents, rank.List{Keys: scoredKeys(found.Documents)})
		for _, note := range found.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
	}
	all.Chunks, all.Documents = rank.Fuse(chunks, 0), rank.Fuse(documents, 0)
	return all, nil
}
