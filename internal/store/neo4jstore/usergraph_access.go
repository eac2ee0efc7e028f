package neo4jstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

// This file is the access of package usergraph to a store.

// A ReadTx is a transaction that only reads. It is valid inside ReadTransaction.
type ReadTx struct {
	tx       *transaction
	database string
}

// ReadTransaction runs several reads in one transaction, which the server ends
// after limit. fn runs again from its start when the server asks for it or the
// connection breaks.
func (s *Store) ReadTransaction(ctx context.Context, limit time.Duration, fn func(*ReadTx) error) error {
	return retry(ctx, s.logger, nil, func() error {
		return s.attemptWithLimit(ctx, neo4j.AccessModeRead, limit, func(tx *transaction) error {
			return fn(&ReadTx{tx: tx, database: s.database})
		})
	})
}

// Run runs the text of a statement and calls each for every row. Errors name the
// statement.
func (t *ReadTx) Run(ctx context.Context, st cypher.Statement, text string, params map[string]any, each func(*neo4j.Record) error) error {
	return t.tx.run(ctx, st, text, params, each)
}

// RunUser is Run for a statement that a user wrote, which must be one that
// RunReadOnly allows.
func (t *ReadTx) RunUser(ctx context.Context, name, text string, each func(*neo4j.Record) error) error {
	if err := usercypher.Check(ctx, t.tx.send, t.database, usercypher.Query{Text: text}); err != nil {
		return userQueryError(err)
	}
	err := t.tx.run(ctx, cypher.Statement(name), text, nil, each)
	if _, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		return userQueryError(usercypher.Failed(err))
	}
	return err
}

// ReadRows runs one read statement and calls each for every row. It tries again when
// the server asks for it or the connection breaks, without repeating a row.
func (s *Store) ReadRows(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, each func(*neo4j.Record) error) error {
	return s.read(ctx, st, corpus, params, each)
}

// WriteRows runs a statement over rows in transactions of bounded size. The
// statement returns as n how many rows it wrote; another number than it was given
// is ErrMissingEnd. The point names the transactions in errors.
func (w *Writer) WriteRows(ctx context.Context, point string, st cypher.Statement, params map[string]any, rows []any) error {
	return batches(rows, writeRows, countRow, func(part []any) error {
		params := maps.Clone(params)
		params["rows"] = slices.Clip(part)
		return w.write(ctx, point, func(tx *transaction) error {
			return tx.exactly(ctx, st, w.corpus, params, len(part))
		})
	})
}
