package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// EnsureSchema creates the constraints and indexes that all corpora share. It fails
// when one of them exists in another form, and only reads when all exist. It needs no
// lease: it drops nothing, and every process creates the same.
func (s *Store) EnsureSchema(ctx context.Context) error {
	change := func(ctx context.Context, point string, body func(*transaction) error) error {
		if err := s.writeTx(ctx, body); err != nil {
			return err
		}
		return s.passed(point)
	}
	if err := s.ensure(ctx, "", schemaIndexes(), change); err != nil {
		return fmt.Errorf("ensure schema: %w", err)
	}
	return nil
}

// NeedsIndexes reports whether Writer.EnsureIndexes would create an index of the corpus.
func (s *Store) NeedsIndexes(ctx context.Context, corpus string, v Vectors) (bool, error) {
	shown, err := s.indexesOf(ctx, corpus)
	if err != nil {
		return false, err
	}
	plan, err := planIndexes(corpus, corpusIndexes(corpus, v), shown)
	return !plan.isEmpty(), err
}

// EnsureIndexes creates the full-text indexes of the corpus and the indexes of its vectors, and
// waits until they are populated. It decides by the indexes that exist: one that failed, has
// vectors of another dimension, quantizes them, or has the form of an older schema version is
// dropped and created again. A corpus of an older schema version then has the current one; its
// nodes keep their properties, and the settings fingerprints decide which stages redo them.
// When it is interrupted, the next call continues. It only reads when everything exists.
func (w *Writer) EnsureIndexes(ctx context.Context, v Vectors) error {
	c, err := w.store.Corpus(ctx, w.corpus)
	if err != nil {
		return err
	}
	if err := w.store.ensure(ctx, w.corpus, corpusIndexes(w.corpus, v), w.changeSchema); err != nil {
		return fmt.Errorf("ensure the indexes of corpus %s: %w", w.corpus, err)
	}
	if c.Schema < SchemaVersion {
		return w.set(ctx, "schema version", map[string]any{"schema": SchemaVersion})
	}
	return nil
}

// A schemaChange runs a transaction that creates or drops indexes. The point names it.
type schemaChange func(ctx context.Context, point string, body func(tx *transaction) error) error

// ensureRounds is how often indexes are created again that do not exist afterwards.
const ensureRounds = 2

// ensure creates the missing indexes of a corpus, or with corpus "" those that all
// share, and waits until they are populated. It compares them again afterwards: the
// server silently keeps an existing index of the same name in another form.
func (s *Store) ensure(ctx context.Context, corpus string, meant []index, change schemaChange) error {
	for round := 0; ; round++ {
		plan, err := s.compare(ctx, corpus, meant)
		if err != nil || plan.isEmpty() {
			return err
		}
		if round == ensureRounds {
			return fmt.Errorf("index %s was not changed: %s", plan.first(), plan.reason)
		}
		if len(plan.drop) > 0 {
			if err := change(ctx, "indexes dropped", dropping(ctx, plan.drop)); err != nil {
				return err
			}
		}
		if len(plan.create) > 0 {
			if err := create(ctx, corpus, plan.create, change); err != nil {
				return err
			}
		}
	}
}

// createTimeout is how long the creation of indexes may take, without populating them: a
// server without disk space for them never responds.
const createTimeout = 100 * time.Second

// create creates indexes. It is not an error if another process creates the same ones
// concurrently: ensure compares afterwards.
func create(ctx context.Context, corpus string, missing []index, change schemaChange) error {
	bounded, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	err := change(bounded, "indexes created", creating(bounded, corpus, missing))
	if server, ok := errors.AsType[*neo4j.Neo4jError](err); ok && strings.Contains(server.Code, "AlreadyExists") {
		return nil
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

// maxPopulatePause is the longest pause between two looks at an index that is being
// populated.
const maxPopulatePause = 2 * time.Second

// compare returns what to change so that the wanted indexes exist. If they do, it waits
// until they are populated, which takes as long as the corpus is large.
func (s *Store) compare(ctx context.Context, corpus string, meant []index) (indexPlan, error) {
	settle, wait := settleTimeout, time.Duration(0)
	for {
		shown, err := s.indexesOf(ctx, corpus)
		if err != nil {
			return indexPlan{}, err
		}
		plan, err := planIndexes(corpus, meant, shown)
		unsettled := (err != nil || plan.unfinished) && settle > 0
		if !unsettled && (err != nil || !plan.isEmpty()) {
			return plan, err
		}
		if unsettled {
			settle -= settleInterval
			wait = settleInterval
		} else if x, waiting := populating(meant, shown); waiting {
			s.logger.InfoContext(ctx, "waiting until an index is populated", "index", x.name, "percent", x.percent)
			wait = min(wait+settleInterval, maxPopulatePause)
		} else {
			return plan, nil
		}
		if err := pause(ctx, wait); err != nil {
			return indexPlan{}, err
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
