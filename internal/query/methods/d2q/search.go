package d2q

import (
	"context"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// searchWithQueries ranks chunks by their vectors with their questions appended: all of them,
// or only those that are kept. A corpus without pairs is ErrNotIndexed.
func searchWithQueries(ctx context.Context, r retrieve.Reader, question string, keptOnly bool, limit int) (retrieve.Ranking, error) {
	var hits []neo4jstore.Hit
	for _, c := range r.Corpora {
		if _, err := r.CorpusWith(ctx, c.Name, neo4jstore.ArtifactQueries); err != nil {
			return retrieve.Ranking{}, err
		}
		vector, err := c.Embed(ctx, question)
		if err != nil {
			return retrieve.Ranking{}, err
		}
		own, err := r.Store.NearestWithQueries(ctx, c.Name, c.Filter, keptOnly, vector, max(1, limit))
		if err != nil {
			return retrieve.Ranking{}, err
		}
		hits = retrieve.ByHitScore(hits, own)
	}
	return retrieve.ByVector(hits), nil
}
