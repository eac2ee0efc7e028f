package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Errors that callers handle.
var (
	// ErrReadOnly is returned for a statement that might do anything but read this database.
	ErrReadOnly = errors.New("only reading is allowed")
	// ErrStatement is returned for a statement that the server does not understand.
	ErrStatement = errors.New("Neo4j does not understand the statement")
	// ErrTimeLimit is returned for a statement that exceeded its time limit.
	ErrTimeLimit = errors.New("the statement took too long")
)

// A UserQuery is a read statement of a user.
type UserQuery struct {
	Text    string
	Params  map[string]any
	Limit   int           // maximum number of rows; 0 for all
	Timeout time.Duration // after which the server ends it; 0 for a minute
	Trusted bool          // from package cypher: not checked before it runs
}

// RunReadOnly runs a statement of a user. The server runs it in a mode in which it cannot
// write, and checkReadOnly refuses, as ErrReadOnly, what that mode allows besides reading
// this database. Values are passed only as parameters.
func (s *Store) RunReadOnly(ctx context.Context, q UserQuery) (Table, error) {
	var table Table
	err := s.userTransaction(ctx, q, func(tx neo4j.ExplicitTransaction) error {
		if !q.Trusted {
			if err := checkReadOnly(ctx, tx.Run, s.database, q); err != nil {
				return err
			}
		}
		var err error
		table, err = runQuery(ctx, tx, q)
		return err
	})
	if err != nil {
		return Table{}, err
	}
	return table, nil
}

// userTransaction calls fn with a read transaction, with the limits of q.
func (s *Store) userTransaction(ctx context.Context, q UserQuery, fn func(neo4j.ExplicitTransaction) error) (err error) {
	defer func() { err = userQueryError(err) }()
	fetch := fetchSize
	if q.Limit > 0 {
		fetch = min(fetch, q.Limit+1)
	}
	session := s.driver.NewSession(ctx, neo4j.SessionConfig{
		AccessMode: neo4j.AccessModeRead, DatabaseName: s.database, FetchSize: fetch, BookmarkManager: s.driver.ExecuteQueryBookmarkManager(),
	})
	defer func() {
		if e := session.Close(context.WithoutCancel(ctx)); e != nil && err == nil {
			err = e
		}
	}()
	tx, err := session.BeginTransaction(ctx, txConfig(cmp.Or(q.Timeout, DefaultTimeLimit))...)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close(context.WithoutCancel(ctx)) }() // nothing was written
	return fn(tx)
}

// runQuery runs a statement and reads its rows.
func runQuery(ctx context.Context, tx neo4j.ExplicitTransaction, q UserQuery) (Table, error) {
	result, err := tx.Run(ctx, q.Text, q.Params)
	if err != nil {
		return Table{}, err
	}
	table := Table{Rows: [][]any{}}
	if table.Columns, err = result.Keys(); err != nil {
		return Table{}, err
	}
	for result.Next(ctx) {
		if q.Limit > 0 && len(table.Rows) == q.Limit {
			table.More = true
			return table, nil
		}
		row := make([]any, len(table.Columns))
		for i, value := range result.Record().Values {
			row[i] = plainValue(value)
		}
		table.Rows = append(table.Rows, row)
	}
	return table, result.Err()
}

// errorPosition is the position in an error of the server, which counts the added EXPLAIN.
var errorPosition = regexp.MustCompile(` \(line \d+, column \d+ \(offset: \d+\)\)`)

// userQueryError turns an error of the server into one of the errors for callers.
func userQueryError(err error) error {
	err = classify(err)
	server, ok := errors.AsType[*neo4j.Neo4jError](err)
	switch {
	case err == nil || errors.Is(err, ErrReadOnly):
		return err
	case !ok:
		return fmt.Errorf("run statement: %w", err)
	case server.Code == "Neo.ClientError.Statement.AccessMode":
		return fmt.Errorf("%w: the statement writes", ErrReadOnly)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%w: the server ended it", ErrTimeLimit)
	case strings.Contains(server.Msg, "CALL { ... } IN TRANSACTIONS"):
		return fmt.Errorf("%w: CALL ... IN TRANSACTIONS starts other transactions", ErrReadOnly)
	case server.Category() == "Statement":
		return fmt.Errorf("%w: %s", ErrStatement, strings.TrimSpace(errorPosition.ReplaceAllString(server.Msg, "")))
	}
	return fmt.Errorf("run statement: %w", err)
}
