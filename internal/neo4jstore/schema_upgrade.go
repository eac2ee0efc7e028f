package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/cypher"
)

// checkSchema tells a corpus of another schema than SchemaVersion, as ErrSchema
// with what to do.
func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("%w: a newer one (schema %d, this one knows %d); update neorag", ErrSchema, version, SchemaVersion)
	case version < SchemaVersion:
		return fmt.Errorf("%w: an older one (schema %d, this one needs %d); run `neorag index` on its documents once", ErrSchema, version, SchemaVersion)
	}
	return nil
}

// upgrade brings a corpus of an older schema to SchemaVersion. Its indexes that
// have another shape by now are dropped, to be made anew; nodes keep what they
// hold, and what stages make of them is redone by their settings. The version is
// noted when the indexes stand, so a run that is cut off does it again.
func (s *Store) upgrade(ctx context.Context, corpus string, meant []index) error {
	shown, err := s.indexesOf(ctx, corpus)
	if err != nil {
		return fmt.Errorf("upgrade corpus %s: %w", corpus, err)
	}
	for _, x := range meant {
		if _, difference := x.among(shown); difference == "" || x.kind == vectorIndex && strings.HasPrefix(difference, "dimension") {
			continue // vectors of another dimension are for ensure to refuse
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
