package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// EnsureSchema makes the constraints and indexes that all corpora share, and
// fails when one of them is not as it is meant. Where all stand it only reads.
func (s *Store) EnsureSchema(ctx context.Context) error {
	if err := s.ensure(ctx, "", schemaIndexes()); err != nil {
		return fmt.Errorf("ensure schema: %w", err)
	}
	return nil
}

// EnsureCorpus makes the corpus and its own full-text indexes, and, when the
// dimension is known, those of vectors. Vectors of another dimension than the
// corpus has are ErrDimension. A corpus of an older schema is upgraded, one of a
// newer schema is refused. Where all stands it only reads.
func (s *Store) EnsureCorpus(ctx context.Context, corpus string, dimension int) error {
	schema, err := s.corpusNode(ctx, corpus)
	if err != nil {
		return err
	}
	if schema < SchemaVersion {
		return s.upgrade(ctx, corpus, corpusIndexes(corpus, dimension))
	}
	if err := s.ensure(ctx, corpus, corpusIndexes(corpus, dimension)); err != nil {
		return fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	return nil
}

// MakeCorpus makes the corpus without its indexes, which EnsureCorpus makes
// afterwards, also while documents are written.
func (s *Store) MakeCorpus(ctx context.Context, corpus string) error {
	_, err := s.corpusNode(ctx, corpus)
	return err
}

// corpusNode makes the node of a corpus unless it is there, and gives its schema.
func (s *Store) corpusNode(ctx context.Context, corpus string) (schema int, err error) {
	if err := graph.CheckCorpus(corpus); err != nil {
		return 0, err
	}
	c, err := s.Corpus(ctx, corpus)
	if errors.Is(err, ErrNoCorpus) {
		err = s.writeOne(ctx, func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteCorpus, corpus, map[string]any{"schema": SchemaVersion}, nil)
		})
		c.Schema = SchemaVersion
	}
	if err != nil {
		return 0, fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	if err := checkSchema(c.Schema); err != nil && c.Schema > SchemaVersion {
		return 0, fmt.Errorf("ensure corpus %s: %w", corpus, err)
	}
	return c.Schema, nil
}

// ensure makes the indexes of a corpus that are missing, or those that all share,
// and compares: the server leaves an index of the same name and another shape
// alone, in silence.
func (s *Store) ensure(ctx context.Context, corpus string, meant []index) error {
	missing, err := s.compare(ctx, corpus, meant)
	if err != nil || len(missing) == 0 {
		return err
	}
	if err := s.build(ctx, corpus, missing); err != nil {
		return err
	}
	if missing, err = s.compare(ctx, corpus, meant); err == nil && len(missing) > 0 {
		err = fmt.Errorf("index %s was not made: another index or constraint stands on the same labels and properties; drop that one", missing[0].name)
	}
	return err
}

// makeWithin bounds the making of indexes: a server that has no room to write
// them never answers.
const makeWithin = 100 * time.Second

// build makes indexes and waits until they are online.
func (s *Store) build(ctx context.Context, corpus string, missing []index) error {
	bounded, cancel := context.WithTimeout(ctx, makeWithin)
	defer cancel()
	err := s.create(bounded, corpus, missing)
	if err == nil {
		err = s.readOne(bounded, func(tx *transaction) error {
			return tx.each(bounded, cypher.SchemaAwait, "", map[string]any{"seconds": awaitSeconds}, nil)
		})
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: it made no index within %v; look at its logs and at the room on its disk, then start the server again", ErrStopped, makeWithin)
	}
	return err
}

// An index that another process is making shows for a moment without the
// constraint that it belongs to.
const (
	settleFor   = 3 * time.Second
	settleEvery = 100 * time.Millisecond
)

// compare finds the indexes of a corpus that are missing, and fails for one that
// stands in another shape and stays so.
func (s *Store) compare(ctx context.Context, corpus string, meant []index) ([]index, error) {
	for left := settleFor; ; left -= settleEvery {
		shown, err := s.indexesOf(ctx, corpus)
		if err != nil {
			return nil, err
		}
		missing, err := lacking(meant, shown)
		if err == nil || errors.Is(err, ErrDimension) || left <= 0 {
			return missing, err
		}
		if err := pause(ctx, settleEvery); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// create makes indexes. Another process that makes the same ones at the same
// moment is no failure: ensure compares afterwards.
func (s *Store) create(ctx context.Context, corpus string, missing []index) error {
	err := s.writeTx(ctx, func(tx *transaction) error {
		for _, x := range missing {
			if err := tx.each(ctx, x.make, corpus, x.params, nil); err != nil {
				return fmt.Errorf("index %s: %w", x.name, err)
			}
		}
		return nil
	})
	var server *neo4j.Neo4jError
	if errors.As(err, &server) && strings.Contains(server.Code, "AlreadyExists") {
		return nil
	}
	return err
}

// lacking returns the indexes that are missing, and an error for the first
// that stands in another shape.
func lacking(meant []index, shown map[string]index) ([]index, error) {
	var missing []index
	for _, m := range meant {
		found, difference := m.among(shown)
		switch {
		case !found:
			missing = append(missing, m)
		case m.kind == vectorIndex && strings.HasPrefix(difference, "dimension"):
			return nil, fmt.Errorf("%w: index %s: %s; use the embedder that the corpus was indexed with, or remove the corpus and index it again",
				ErrDimension, m.name, difference)
		case difference != "":
			return nil, fmt.Errorf("index %s is not as it is meant: %s; drop it (DROP INDEX %s) and run again", m.name, difference, m.name)
		}
	}
	return missing, nil
}
