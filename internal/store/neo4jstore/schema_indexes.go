package neo4jstore

import (
	"context"
	"fmt"
	"slices"
)

// allIndexes returns the indexes of the database by name.
func (s *Store) allIndexes(ctx context.Context) (map[string]index, error) {
	return s.shownIndexes(ctx, nil)
}

// indexesOf returns, by name, the indexes of a corpus, possibly with indexes of corpora
// whose names end the same; with corpus "" it returns those that all corpora share.
func (s *Store) indexesOf(ctx context.Context, corpus string) (map[string]index, error) {
	return s.shownIndexes(ctx, corpus)
}

// isQuantized reports whether an index quantizes its vectors. Newer servers show a type of
// quantization, older ones only whether there is one.
func isQuantized(config values) bool {
	if kind := config.text("vector.quantization.type"); kind != "" {
		return kind != "NONE"
	}
	return config.flag("vector.quantization.enabled")
}

func (s *Store) shownIndexes(ctx context.Context, of any) (map[string]index, error) {
	found, err := rowsAs(ctx, s, schemaShowIndexes, "", map[string]any{"of": of}, func(row showIndexesRow) index {
		x := index{
			name: row.Name, kind: row.Type, unique: row.OwningConstraint != "", labels: row.LabelsOrTypes, properties: row.Properties,
			state: row.State, percent: row.PopulationPercent,
		}
		settings, _ := row.Options["indexConfig"].(map[string]any)
		config := values(settings)
		switch x.kind {
		case fulltextIndex:
			x.analyzer = config.text("fulltext.analyzer")
			slices.Sort(x.labels)
		case vectorIndex:
			x.dimension, x.quantized = config.int("vector.dimensions"), isQuantized(config)
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
