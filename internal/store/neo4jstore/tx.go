package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// errStop is returned by a callback of transaction.each to skip the remaining rows.
var errStop = errors.New("enough")

// maxHeldRows is how many rows a read buffers, so that it can be retried.
const maxHeldRows = 10_000

// read runs one statement in its own read transaction and calls each for every row. It
// is retried when the server asks for it or the connection breaks. For that, rows are
// buffered until the result is complete; a longer result is passed on from the limit
// of the buffer, and not retried any more.
func (s *Store) read(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	var held []*neo4j.Record
	streaming := false
	flush := func() error {
		for _, r := range held {
			if err := each(r); err != nil {
				return err
			}
		}
		held = held[:0]
		return nil
	}
	err := retry(ctx, s.logger, func() bool { return !streaming }, func() error {
		held = held[:0]
		return s.autoCommit(ctx, neo4j.AccessModeRead, func(tx *transaction) error {
			return tx.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
				if held = append(held, r); !streaming && len(held) < maxHeldRows {
					return nil
				}
				streaming = true
				return flush()
			})
		})
	})
	if err != nil {
		return err
	}
	return flush()
}

// readOne runs a single statement, whose rows fn reads. fn runs again from its start when the
// server asks for it or the connection breaks.
func (s *Store) readOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.autoCommit(ctx, neo4j.AccessModeRead, fn)
	})
}

// writeTx runs a write transaction without a Writer: for schema and leases.
func (s *Store) writeTx(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attempt(ctx, neo4j.AccessModeWrite, fn)
	})
}

// writeOne is writeTx for a single statement.
func (s *Store) writeOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.autoCommit(ctx, neo4j.AccessModeWrite, fn)
	})
}

// fetchSize is how many rows the server sends in one batch.
const fetchSize = 1000

// session opens a session for one transaction, whose rows come in batches of that size, and
// measures its duration.
func (s *Store) session(ctx context.Context, mode neo4j.AccessMode, fetch int, fn func(neo4j.SessionWithContext) error) (err error) {
	start := time.Now()
	defer func() {
		s.waited.Add(int64(time.Since(start)))
		err = interrupted(ctx, err)
	}()
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: mode, DatabaseName: s.database, FetchSize: fetch, BookmarkManager: s.bookmarks,
	})
	defer func() {
		if e := session.Close(context.WithoutCancel(ctx)); e != nil && err == nil {
			err = classify(e)
		}
	}()
	return fn(session)
}

// txConfig returns the time limit and metadata of a transaction.
func txConfig(limit time.Duration) []func(*neo4j.TransactionConfig) {
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(limit), neo4j.WithTxMetadata(map[string]any{"app": "neorag"})}
}

// attempt runs one transaction without retries.
func (s *Store) attempt(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.attemptWithLimit(ctx, mode, timeLimit(ctx), fn)
}

// attemptWithLimit is attempt with another time limit.
func (s *Store) attemptWithLimit(ctx context.Context, mode neo4j.AccessMode, limit time.Duration, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, fetchSize, func(session neo4j.SessionWithContext) error {
		tx, err := session.BeginTransaction(ctx, txConfig(limit)...)
		if err != nil {
			return classify(err)
		}
		if err := fn(&transaction{send: tx.Run, logger: s.logger}); err != nil {
			_ = tx.Close(context.WithoutCancel(ctx))
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return classify(err)
		}
		return nil
	})
}

// autoCommit runs a single statement without retries, in a transaction that the server
// begins and commits itself: one round trip instead of the three of attempt.
func (s *Store) autoCommit(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, fetchSize, func(session neo4j.SessionWithContext) error {
		send := func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
			return session.Run(ctx, text, params, txConfig(timeLimit(ctx))...)
		}
		return fn(&transaction{send: send, logger: s.logger})
	})
}

// A transaction runs statements and counts the changes that they make.
type transaction struct {
	send     func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)
	logger   *slog.Logger
	counters Counters
	database string // of the last statement, as the server names it
}

// each runs a statement and calls each for every row until it returns errStop. The
// name of the corpus replaces the placeholders of the text, and is the parameter
// corpus.
func (t *transaction) each(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	if corpus != "" {
		if err := graph.CheckCorpus(corpus); err != nil {
			return err
		}
	}
	all := make(map[string]any, len(params)+1)
	maps.Copy(all, params)
	if corpus != "" {
		all["corpus"] = corpus
	}
	text, all, err := st.Packed(corpus, all)
	if err != nil {
		return err
	}
	return t.run(ctx, st, text, all, each)
}

// run runs the text of a statement and calls each, if not nil, for every row.
func (t *transaction) run(ctx context.Context, st cypher.Statement, text string, params map[string]any, each func(*neo4j.Record) error) error {
	result, err := t.send(ctx, text, params)
	if err != nil {
		return t.failed(ctx, st, err)
	}
	for result.Next(ctx) {
		if each == nil {
			continue
		}
		if err := each(result.Record()); errors.Is(err, errStop) {
			break
		} else if err != nil {
			return err
		}
	}
	if err := result.Err(); err != nil {
		return t.failed(ctx, st, err)
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return t.failed(ctx, st, err)
	}
	t.counters.add(summary.Counters())
	t.database = summary.Database().Name()
	t.logger.DebugContext(ctx, "statement", "name", string(st), "plan", summary.ResultAvailableAfter(), "rows", summary.ResultConsumedAfter())
	return nil
}

// failed returns the error of a statement. It logs it because the caller may repeat the
// statement in smaller pieces.
func (t *transaction) failed(ctx context.Context, st cypher.Statement, err error) error {
	t.logger.DebugContext(ctx, "statement failed", "name", string(st), "cause", err)
	return statementError(st, err)
}

// one runs a statement that returns one row of one integer, and returns that; 0 without a row.
func (t *transaction) one(ctx context.Context, st cypher.Statement, corpus string, params map[string]any) (int64, error) {
	var n int64
	err := t.each(ctx, st, corpus, params, func(r *neo4j.Record) (err error) {
		var ok bool
		if n, ok = r.Values[0].(int64); !ok || len(r.Values) > 1 {
			err = fmt.Errorf("statement %s: %v instead of one integer", st, r.Values)
		}
		return err
	})
	return n, err
}

// exactly runs a statement that returns the number of rows it wrote as n, and fails
// with ErrMissingEnd for another number than want: the server silently skips a row
// whose node does not exist.
func (t *transaction) exactly(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, want int) error {
	n, err := t.one(ctx, st, corpus, params)
	if err != nil {
		return err
	}
	if n != int64(want) {
		return fmt.Errorf("statement %s: %w: %d of %d rows were written", st, ErrMissingEnd, n, want)
	}
	return nil
}

// A rowStep is a statement over rows, one of several in a transaction.
type rowStep struct {
	statement cypher.Statement
	rows      []any
	counted   bool // every row must be written
}

// steps runs statements in their order, without those that have no rows.
func (t *transaction) steps(ctx context.Context, corpus string, steps []rowStep) error {
	for _, step := range steps {
		if err := t.rows(ctx, step.statement, corpus, step.rows, step.counted); err != nil {
			return err
		}
	}
	return nil
}

// rows runs a statement over rows, if there are any. With counted it is exactly.
func (t *transaction) rows(ctx context.Context, st cypher.Statement, corpus string, rows []any, counted bool) error {
	switch params := map[string]any{"rows": rows}; {
	case len(rows) == 0:
		return nil
	case counted:
		return t.exactly(ctx, st, corpus, params, len(rows))
	default:
		return t.each(ctx, st, corpus, params, nil)
	}
}

// Counters are the changes that the server counted.
type Counters struct {
	Nodes         int64 // created
	Relationships int64 // created
	Properties    int64 // set
	Labels        int64 // added or removed
	Deleted       int64 // nodes and relationships
	Indexes       int64 // created or dropped
}

// Total returns the number of changes.
func (c Counters) Total() int64 {
	return c.Nodes + c.Relationships + c.Properties + c.Labels + c.Deleted + c.Indexes
}

func (c *Counters) add(s neo4j.Counters) {
	c.Nodes += int64(s.NodesCreated())
	c.Relationships += int64(s.RelationshipsCreated())
	c.Properties += int64(s.PropertiesSet())
	c.Labels += int64(s.LabelsAdded() + s.LabelsRemoved())
	c.Deleted += int64(s.NodesDeleted() + s.RelationshipsDeleted())
	c.Indexes += int64(s.IndexesAdded() + s.IndexesRemoved())
}

func (c *Counters) plus(o Counters) {
	c.Nodes += o.Nodes
	c.Relationships += o.Relationships
	c.Properties += o.Properties
	c.Labels += o.Labels
	c.Deleted += o.Deleted
	c.Indexes += o.Indexes
}
