package export

import (
	"context"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Read returns the visible generation of a corpus, and its number. The sequences read the store when
// they are used: a caller checks afterwards that the generation is still the same, else the graph has
// changed (ErrGraphChanged).
func Read(ctx context.Context, store *neo4jstore.Store, corpus string) (Graph, int64, error) {
	generation, err := store.Generation(ctx, corpus)
	if err != nil {
		return Graph{}, 0, err
	}
	communities, err := store.Communities(ctx, corpus, generation, true)
	if err != nil {
		return Graph{}, 0, err
	}
	return Graph{
		Corpus: corpus, Communities: communities, Entities: store.Entities(ctx, corpus),
		Relationships: store.Relationships(ctx, corpus), Reports: store.Reports(ctx, corpus, generation),
	}, generation, nil
}
