package neo4jstore

import (
	"context"
	"maps"

	"github.com/neorag/neorag/cypher"
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
	err := s.keyPages(corpus, queryPage, func(params map[string]any) (string, int, error) {
		params = maps.Clone(params)
		params["vectors"] = vectors
		found, err := rows(ctx, s, cypher.ReadSynonymNodes, corpus, params, func(v values) SynonymNode {
			return SynonymNode{
				Key: v.text("key"), Name: v.text("name"), Marked: v.flag("marked"), NameFP: v.text("name_fp"),
				Vector: v.vector("vector"), Neighbours: neighboursOf(v),
			}
		})
		if err != nil || len(found) == 0 {
			return "", 0, err
		}
		for _, n := range found {
			each(n)
		}
		return found[len(found)-1].Key, len(found), nil
	})
	return wrap(err, "read the names of corpus "+corpus)
}
