package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// allIndexes returns the indexes of the database by name.
func (s *Store) allIndexes(ctx context.Context) (map[string]index, error) {
	return s.shownIndexes(ctx, nil)
}

// indexesOf returns, by name, the indexes of a corpus, possibly with those of corpora
// whose names end the same; with corpus "" it returns those that all corpora share.
func (s *Store) indexesOf(ctx context.Context, corpus string) (map[string]index, error) {
	return s.shownIndexes(ctx, corpus)
}

func (s *Store) shownIndexes(ctx context.Context, of any) (map[string]index, error) {
	found, err := rows(ctx, s, cypher.SchemaShowIndexes, "", map[string]any{"of": of}, func(v values) index {
		config := v.sub("options").sub("indexConfig")
		x := index{
			name: v.text("name"), kind: v.text("type"), unique: v.text("owningConstraint") != "",
			labels: v.texts("labelsOrTypes"), properties: v.texts("properties"),
			state: v.text("state"), percent: v.real("populationPercent"),
		}
		switch x.kind {
		case fulltextIndex:
			x.analyzer = config.text("fulltext.analyzer")
			slices.Sort(x.labels)
		case vectorIndex:
			x.dimension, x.quantized = config.int("vector.dimensions"), config.flag("vector.quantization.enabled")
		}
		return x
	})
	if err != nil {
		return nil, fmt.Errorf("show indexes: %w", err)
	}
	shown := make(map[string]index, len(found))
	for _, x := range found {
		shown[x.name] = x
	}
	return shown, nil
}
