package neo4jstore

import (
	"context"
)

// A SynonymNode is an entity with its name and its synonyms.
type SynonymNode struct {
	Key        string
	Name       string
	Marked     bool      // for the stage synonyms
	NameFP     string    // of the stored vector of the name
	Vector     []float32 // nil if none is stored, or none was asked for
	Neighbours []Neighbour
}

// SynonymNodes passes all entities of a corpus to each, in key order, page by page, with the
// stored vectors of their names if they are asked for.
func (s *Store) SynonymNodes(ctx context.Context, corpus string, vectors bool, each func(SynonymNode)) error {
	params := map[string]any{"vectors": vectors}
	return pageSpec[SynonymNode]{
		reading: "read the names", statement: readSynonymNodes, corpus: corpus, params: params, limit: queryPage, key: func(n SynonymNode) string { return n.Key },
	}.pass(ctx, s, each)
}
