package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// checkSchema returns an ErrSchema that says what to do for a corpus of another schema
// version.
func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("%w: schema %d is newer than the supported %d; update neorag", ErrSchema, version, SchemaVersion)
	case version < SchemaVersion:
		return fmt.Errorf("%w: schema %d is older than the required %d; run `neorag index` on its documents once", ErrSchema, version, SchemaVersion)
	}
	return nil
}

// upgrade upgrades a corpus of an older schema version. Indexes that have another form
// now are dropped and created again. Nodes keep their properties; the settings
// fingerprints decide which stages redo them. The version is written when all indexes
// exist, so an interrupted upgrade is repeated.
func (s *Store) upgrade(ctx context.Context, corpus string, meant []index) error {
	shown, err := s.indexesOf(ctx, corpus)
	if err != nil {
		return fmt.Errorf("upgrade corpus %s: %w", corpus, err)
	}
	for _, x := range meant {
		if _, difference := x.findIn(shown); difference == "" || x.kind == vectorIndex && strings.HasPrefix(difference, "dimension") {
			continue // ensure returns the error about another dimension
		}
		err := s.writeOne(ctx, func(tx *transaction) error {
			return tx.each(ctx, cypher.SchemaDropIndex, "", map[string]any{"name": x.name}, nil)
		})
		if err != nil {
			return fmt.Errorf("upgrade corpus %s: drop index %s: %w", corpus, x.name, err)
		}
	}
	if err := s.ensure(ctx, corpus, meant); err != nil {
		return fmt.Errorf("upgrade corpus %s: %w", corpus, err)
	}
	err = s.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteCorpusSet, corpus, map[string]any{"set": map[string]any{"schema": SchemaVersion}}, nil)
	})
	if err != nil {
		return fmt.Errorf("upgrade corpus %s: %w", corpus, err)
	}
	return nil
}
