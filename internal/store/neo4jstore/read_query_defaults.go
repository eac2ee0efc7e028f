package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// SavedQueryDefaults returns the defaults of the parameters of saved queries in a
// corpus: for each query the values by name. A statement that several parameters share
// runs once. A value that the corpus does not have, such as the largest community before
// there is one, is missing.
func (s *Store) SavedQueryDefaults(ctx context.Context, corpus string, queries ...cypher.SavedQuery) ([]map[string]any, error) {
	if err := graph.CheckCorpus(corpus); err != nil {
		return nil, err
	}
	computed := map[cypher.Statement]any{}
	all := make([]map[string]any, len(queries))
	for i, q := range queries {
		all[i] = map[string]any{}
		for _, p := range q.Params {
			value, known := computed[p.From]
			switch {
			case p.From == "":
				value = p.Default
			case !known:
				var err error
				if value, err = s.savedQueryDefault(ctx, corpus, p.From); err != nil {
					return nil, fmt.Errorf("compute default of %s of query %s: %w", p.Name, q.Name, err)
				}
				computed[p.From] = value
			}
			if value != nil {
				all[i][p.Name] = value
			}
		}
	}
	return all, nil
}

// savedQueryDefault computes a default; nil if the corpus has no such value.
func (s *Store) savedQueryDefault(ctx context.Context, corpus string, from cypher.Statement) (any, error) {
	var value any
	err := s.read(ctx, from, corpus, nil, func(r *neo4j.Record) error {
		value, _ = r.Get("value")
		return nil
	})
	return value, err
}
