package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// A Check is how the schema stands against what was meant.
type Check struct {
	Server    ServerInfo      `json:"server"`
	Missing   []string        `json:"missing"`   // names of constraints and indexes that do not stand
	Different []string        `json:"different"` // what stands under a name but is not what was meant
	Corpora   []CorpusIndexes `json:"corpora"`
}

// CorpusIndexes are the indexes of one corpus.
type CorpusIndexes struct {
	Corpus  string       `json:"corpus"`
	Indexes []IndexState `json:"indexes"`
}

// An IndexState is how far an index is. The dimension is that of a vector index.
type IndexState struct {
	Name              string  `json:"name"`
	Type              string  `json:"type"`
	State             string  `json:"state"`
	Dimension         int     `json:"dimension,omitempty"`
	PopulationPercent float64 `json:"population_percent"`
}

// indexState is an index as the server shows it.
type indexState struct {
	IndexState
	Labels     []string
	Properties []string
}

// indexes reads all indexes of the database, by name.
func (s *Store) indexes(ctx context.Context) ([]indexState, error) {
	found, err := rows(ctx, s, cypher.SchemaShowIndexes, "", nil, func(v values) indexState {
		return indexState{
			IndexState: IndexState{
				Name: v.text("name"), Type: v.text("type"), State: v.text("state"),
				Dimension:         v.sub("options").sub("indexConfig").int("vector.dimensions"),
				PopulationPercent: v.real("populationPercent"),
			},
			Labels: v.texts("labelsOrTypes"), Properties: v.texts("properties"),
		}
	})
	if err != nil {
		return nil, fmt.Errorf("reading the indexes: %w", err)
	}
	return found, nil
}

// Check compares constraints and indexes with what was meant and shows the
// indexes of every corpus.
func (s *Store) Check(ctx context.Context) (Check, error) {
	check := Check{Server: s.info, Missing: []string{}, Different: []string{}, Corpora: []CorpusIndexes{}}
	all, err := s.indexes(ctx)
	if err != nil {
		return Check{}, err
	}
	corpora, err := s.Corpora(ctx)
	if err != nil {
		return Check{}, err
	}
	for _, corpus := range corpora {
		own := CorpusIndexes{Corpus: corpus.Name, Indexes: []IndexState{}}
		for _, index := range all {
			if index.of(corpus.Name) {
				own.Indexes = append(own.Indexes, index.IndexState)
			}
		}
		check.Corpora = append(check.Corpora, own)
	}
	return check, nil
}
