package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// StrongestRelationships reads at most limit relationships between entities of some types, or of any if
// there are none, those with most mentions first. A filter is not applied.
func (r Reader) StrongestRelationships(ctx context.Context, types []string, limit int) ([]graph.Relationship, error) {
	out, err := readCorpora(r, func(c Corpus) ([]graph.Relationship, error) {
		return r.store.StrongestRelationships(ctx, c.Name, types, limit)
	})
	slices.SortFunc(out, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(limit, len(out))], err
}

// Paths reads how two names are connected, in every corpus that has both: by the relationship between
// them, at most limit paths over another entity or, if there are none, one over two. A filter is not
// applied.
func (r Reader) Paths(ctx context.Context, from, to Name, limit int) ([][]graph.Relationship, error) {
	var out [][]graph.Relationship
	for _, a := range from.Keys {
		for _, b := range to.Keys {
			if graph.CorpusOf(a) != graph.CorpusOf(b) {
				continue
			}
			own, err := r.store.Paths(ctx, graph.CorpusOf(a), a, b, limit)
			if err != nil {
				return nil, err
			}
			out = append(out, own...)
		}
	}
	slices.SortStableFunc(out, func(a, b []graph.Relationship) int { return cmp.Compare(len(a), len(b)) })
	return out, nil
}

// Entities reads entities by key. A filter is not applied.
func (r Reader) Entities(ctx context.Context, keys []string) ([]graph.Entity, error) {
	found, err := r.readNeighborhood(ctx, neo4jstore.NeighborhoodQuery{Entities: keys})
	return found.Entities, err
}
