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

// EnsureSchema creates the constraints and indexes that all corpora share. It fails
// when one of them exists in another form, and only reads when all exist.
func (s *Store) EnsureSchema(ctx context.Context) error {
	if err := s.ensure(ctx, "", schemaIndexes()); err != nil {
		return fmt.Errorf("ensure schema: %w", err)
	}
	return nil
}

// EnsureCorpus creates the corpus and its full-text indexes, and its vector indexes
// unless the dimension is 0. It returns ErrDimension if the corpus has vectors of another
// dimension. A corpus of an older schema version is upgraded, one of a newer version is
// an error. It only reads when everything exists.
func (s *Store) EnsureCorpus(ctx context.Context, corpus string, dimension int) error {
	schema, err := s.ensureNode(ctx, corpus)
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

// MakeCorpus creates the corpus without its indexes, which EnsureCorpus can create
// later, also while documents are written.
func (s *Store) MakeCorpus(ctx context.Context, corpus string) error {
	_, err := s.ensureNode(ctx, corpus)
	return err
}

// ensureNode creates the node of a corpus if it does not exist, and returns its schema
// version.
func (s *Store) ensureNode(ctx context.Context, corpus string) (schema int, err error) {
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

// ensure creates the missing and unfinished indexes of a corpus, or with corpus "" those
// that all share, and then compares them: the server silently keeps an existing index of
// the same name in another form.
func (s *Store) ensure(ctx context.Context, corpus string, meant []index) error {
	missing, unfinished, err := s.compare(ctx, corpus, meant)
	if err != nil || len(missing)+len(unfinished) == 0 {
		return err
	}
	var names []string
	for _, x := range unfinished {
		names = append(names, x.name)
	}
	if err := s.dropNamed(ctx, names); err != nil {
		return err
	}
	if err := s.build(ctx, corpus, append(missing, unfinished...)); err != nil {
		return err
	}
	missing, unfinished, err = s.compare(ctx, corpus, meant)
	if missing = append(missing, unfinished...); err == nil && len(missing) > 0 {
		err = fmt.Errorf("index %s was not created: another index or constraint has the same labels and properties; drop it", missing[0].name)
	}
	return err
}

// createTimeout is how long the creation of indexes may take: a server without disk
// space for them never responds.
const createTimeout = 100 * time.Second

// build creates indexes and waits until they are online.
func (s *Store) build(ctx context.Context, corpus string, missing []index) error {
	bounded, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	err := s.create(bounded, corpus, missing)
	if err == nil {
		err = s.readOne(bounded, func(tx *transaction) error {
			return tx.each(bounded, cypher.SchemaAwait, "", map[string]any{"seconds": awaitSeconds}, nil)
		})
	}
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: it did not create an index within %v; check its logs and the free space on its disk, then restart the server", ErrStopped, createTimeout)
	}
	return err
}

// compare repeats a failed comparison every settleInterval for settleTimeout, because an
// index that another process is creating may be shown without its constraint for a
// moment.
const (
	settleTimeout  = 3 * time.Second
	settleInterval = 100 * time.Millisecond
)

// compare returns the missing and the unfinished indexes of a corpus. It fails for one
// that exists in another form.
func (s *Store) compare(ctx context.Context, corpus string, meant []index) (missing, unfinished []index, err error) {
	for left := settleTimeout; ; left -= settleInterval {
		shown, err := s.indexesOf(ctx, corpus)
		if err != nil {
			return nil, nil, err
		}
		missing, unfinished, err := missingIndexes(meant, shown)
		if err == nil && len(unfinished) == 0 || errors.Is(err, ErrDimension) || left <= 0 {
			return missing, unfinished, err
		}
		if err := pause(ctx, settleInterval); err != nil {
			return nil, nil, err
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

// create creates indexes. It is not an error if another process creates the same ones
// concurrently: ensure compares afterwards.
func (s *Store) create(ctx context.Context, corpus string, missing []index) error {
	err := s.writeTx(ctx, func(tx *transaction) error {
		for _, x := range missing {
			if err := tx.each(ctx, x.create, corpus, x.params, nil); err != nil {
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

// missingIndexes returns the indexes that do not exist and those that the server did not
// finish, and an error for the first one that exists in another form.
func missingIndexes(meant []index, shown map[string]index) (missing, unfinished []index, err error) {
	for _, m := range meant {
		found, difference := m.findIn(shown)
		switch {
		case !found:
			missing = append(missing, m)
		case m.unfinishedIn(shown):
			unfinished = append(unfinished, m)
		case m.kind == vectorIndex && strings.HasPrefix(difference, "dimension"):
			return nil, nil, fmt.Errorf("%w: index %s: %s; use the embedding model that the corpus was indexed with, or remove the corpus and index it again",
				ErrDimension, m.name, difference)
		case difference != "":
			return nil, nil, fmt.Errorf("index %s exists in another form: %s; drop it (DROP INDEX %s) and run again", m.name, difference, m.name)
		}
	}
	return missing, unfinished, nil
}
