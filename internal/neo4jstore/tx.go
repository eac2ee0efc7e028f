// Package neo4jstore keeps a corpus in Neo4j. It is the only importer of the
// driver: a caller sees the nouns of package graph and work lists, never a
// statement but those that are for people (Ask).
//
// Reads are methods of Store. Writes are methods of Lane, the one lane of
// write transactions of a corpus, which WithWriter opens; every one of them may
// run again after it was interrupted at any point, with the same graph at the end.
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

// errStop is what the callback of transaction.each returns when it has enough.
var errStop = errors.New("enough")

// readAhead is how many rows a read holds back, so that it can begin again.
const readAhead = 10_000

// read runs one statement in a read transaction of its own and hands over its
// rows. It tries again when the server asks for it or the connection breaks:
// rows are handed over when all have come, or, of a long result, as they come
// from then on, after which it does not try again.
func (s *Store) read(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	var held []*neo4j.Record
	streaming := false
	hand := func() error {
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
		return s.single(ctx, neo4j.AccessModeRead, func(tx *transaction) error {
			return tx.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
				if held = append(held, r); !streaming && len(held) < readAhead {
					return nil
				}
				streaming = true
				return hand()
			})
		})
	})
	if err != nil {
		return err
	}
	return hand()
}

// readTx runs several reads in one transaction. The function runs again from
// its start when the server asks for it or the connection breaks.
func (s *Store) readTx(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attempt(ctx, neo4j.AccessModeRead, fn)
	})
}

// readOne is readTx for a function that runs one statement.
func (s *Store) readOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.single(ctx, neo4j.AccessModeRead, fn)
	})
}

// writeTx runs a write transaction outside any lane: schema and leases.
func (s *Store) writeTx(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attempt(ctx, neo4j.AccessModeWrite, fn)
	})
}

// writeOne is writeTx for a function that runs one statement.
func (s *Store) writeOne(ctx context.Context, fn func(tx *transaction) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.single(ctx, neo4j.AccessModeWrite, fn)
	})
}

// fetchSize is how many rows the server sends at a time.
const fetchSize = 1000

// session opens a session for one transaction, and counts how long it takes.
func (s *Store) session(ctx context.Context, mode neo4j.AccessMode, fn func(neo4j.SessionWithContext) error) (err error) {
	start := time.Now()
	defer func() { s.waited.Add(int64(time.Since(start))) }()
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: mode, DatabaseName: s.database, FetchSize: fetchSize, BookmarkManager: s.driver.ExecuteQueryBookmarkManager(),
	})
	defer func() {
		if e := session.Close(context.WithoutCancel(ctx)); e != nil && err == nil {
			err = classify(e)
		}
	}()
	return fn(session)
}

// bounds are what a transaction tells the server of itself.
func bounds(limit time.Duration) []func(*neo4j.TransactionConfig) {
	return []func(*neo4j.TransactionConfig){neo4j.WithTxTimeout(limit), neo4j.WithTxMetadata(map[string]any{"app": "neorag"})}
}

// attempt runs one transaction, once.
func (s *Store) attempt(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.attemptWithin(ctx, mode, txTimeout, fn)
}

// attemptWithin is attempt with a time limit of the caller's.
func (s *Store) attemptWithin(ctx context.Context, mode neo4j.AccessMode, limit time.Duration, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, func(session neo4j.SessionWithContext) error {
		tx, err := session.BeginTransaction(ctx, bounds(limit)...)
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

// single runs one statement, once, in a transaction that the server begins and
// ends for it: one way there and back, where attempt takes three.
func (s *Store) single(ctx context.Context, mode neo4j.AccessMode, fn func(tx *transaction) error) error {
	return s.session(ctx, mode, func(session neo4j.SessionWithContext) error {
		send := func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error) {
			return session.Run(ctx, text, params, bounds(txTimeout)...)
		}
		return fn(&transaction{send: send, logger: s.logger})
	})
}

// A transaction runs statements and counts what the server changed for them.
type transaction struct {
	send     func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)
	logger   *slog.Logger
	counters Counters
}

// each runs a statement and hands over its rows. The name of the corpus takes
// its places in the text and is the parameter corpus. errStop ends it early.
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

// run runs a text under the name of a statement, and hands over its rows.
func (t *transaction) run(ctx context.Context, st cypher.Statement, text string, params map[string]any, each func(*neo4j.Record) error) error {
	result, err := t.send(ctx, text, params)
	if err != nil {
		return statementError(st, err)
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
		return statementError(st, err)
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return statementError(st, err)
	}
	t.counters.add(summary.Counters())
	t.logger.DebugContext(ctx, "statement", "name", string(st), "plan", summary.ResultAvailableAfter(), "rows", summary.ResultConsumedAfter())
	return nil
}

// one runs a statement that returns one row of whole numbers under the name
// given; no row is zero.
func (t *transaction) one(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, name string) (int64, error) {
	var n int64
	err := t.each(ctx, st, corpus, params, func(r *neo4j.Record) error {
		n = values(r.AsMap()).whole(name)
		return nil
	})
	return n, err
}

// exactly runs a statement that returns the number of its rows as n and fails
// with ErrMissingEnd when that is not what was meant: a row whose node does
// not exist is dropped by the server in silence.
func (t *transaction) exactly(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, want int) error {
	n, err := t.one(ctx, st, corpus, params, "n")
	if err != nil {
		return err
	}
	if n != int64(want) {
		return fmt.Errorf("statement %s: %w: %d of %d rows were written", st, ErrMissingEnd, n, want)
	}
	return nil
}

// rows runs a statement over rows, if there are any, and compares their number
// where it is counted.
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

// Counters are what the server says it changed.
type Counters struct {
	Nodes         int64 // created
	Relationships int64 // created
	Properties    int64 // set
	Labels        int64 // added or removed
	Deleted       int64 // nodes and relationships
}

// Total is the number of changes.
func (c Counters) Total() int64 {
	return c.Nodes + c.Relationships + c.Properties + c.Labels + c.Deleted
}

func (c *Counters) add(s neo4j.Counters) {
	c.Nodes += int64(s.NodesCreated())
	c.Relationships += int64(s.RelationshipsCreated())
	c.Properties += int64(s.PropertiesSet())
	c.Labels += int64(s.LabelsAdded() + s.LabelsRemoved())
	c.Deleted += int64(s.NodesDeleted() + s.RelationshipsDeleted())
}

func (c *Counters) plus(o Counters) {
	c.Nodes += o.Nodes
	c.Relationships += o.Relationships
	c.Properties += o.Properties
	c.Labels += o.Labels
	c.Deleted += o.Deleted
}
