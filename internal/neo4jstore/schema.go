package neo4jstore

import (
	"context"
	"errors"
)

// SchemaVersion is the version of the graph's shape, kept on each corpus.
const SchemaVersion = 1

// EnsureSchema makes the constraints and indexes that all corpora share.
func (s *Store) EnsureSchema(ctx context.Context) error { return errors.ErrUnsupported }

// EnsureCorpus makes the corpus and its own indexes.
func (s *Store) EnsureCorpus(ctx context.Context, corpus string, dimension int) error {
	return errors.ErrUnsupported
}
