package overview

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// readStrongestRelationships reads at most limit relationships between entities of some types, or of any
// type if none is given, those with most mentions first. A filter is not applied.
func readStrongestRelationships(ctx context.Context, r retrieve.Reader, types []string, limit int) ([]graph.Relationship, error) {
	out, err := retrieve.ReadCorpora(r, func(c retrieve.Corpus) ([]graph.Relationship, error) {
		return r.Store.StrongestRelationships(ctx, c.Name, types, limit)
	})
	slices.SortFunc(out, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(limit, len(out))], err
}

// readPaths reads how two names are connected, in every corpus that has both: by the relationship between
// them, at most limit paths over another entity or, without any, one over two. A filter is not
// applied.
func readPaths(ctx context.Context, r retrieve.Reader, from, to retrieve.Name, limit int) ([][]graph.Relationship, error) {
	var out [][]graph.Relationship
	for _, a := range from.Keys {
		for _, b := range to.Keys {
			if graph.CorpusOf(a) != graph.CorpusOf(b) {
				continue
			}
			own, err := r.Store.Paths(ctx, graph.CorpusOf(a), a, b, limit)
			if err != nil {
				return nil, err
			}
			out = append(out, own...)
		}
	}
	slices.SortStableFunc(out, func(a, b []graph.Relationship) int { return cmp.Compare(len(a), len(b)) })
	return out, nil
}

// readEntities reads entities by key. A filter is not applied.
func readEntities(ctx context.Context, r retrieve.Reader, keys []string) ([]graph.Entity, error) {
	found, err := r.ReadNeighborhood(ctx, neo4jstore.NeighborhoodQuery{Entities: keys})
	return found.Entities, err
}
