package neo4jstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// CreateIndexes creates the indexes of corpora that do not exist yet, without a Writer, and
// waits until they are populated. Tests create many corpora with it: it takes one
// transaction, because the server replans all statements whenever indexes change.
func (s *Store) CreateIndexes(ctx context.Context, corpora map[string]Vectors) error {
	names := slices.Sorted(maps.Keys(corpora))
	if err := s.writeTx(ctx, func(tx *transaction) error {
		for _, name := range names {
			if err := creating(ctx, name, corpusIndexes(name, corpora[name]))(tx); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return fmt.Errorf("create indexes of %d corpora: %w", len(corpora), err)
	}
	for _, name := range names {
		plan, err := s.compare(ctx, name, corpusIndexes(name, corpora[name]))
		if err == nil && !plan.isEmpty() {
			err = fmt.Errorf("index %s was not created", plan.first())
		}
		if err != nil {
			return fmt.Errorf("create indexes of corpus %s: %w", name, err)
		}
	}
	return nil
}
