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

// What callers decide on.
var (
	// ErrReadOnly is a statement that would change something.
	ErrReadOnly = errors.New("only reading is allowed")
	// ErrStatement is a statement that the server does not understand.
	ErrStatement = errors.New("Neo4j does not understand the statement")
	// ErrTimeLimit is a statement that took longer than it was given.
	ErrTimeLimit = errors.New("the statement took too long")
)

// A UserQuery is a statement that a person wrote, to be read with.
type UserQuery struct {
	Text    string
	Params  map[string]any
	Limit   int           // rows that are read at most; 0 for all
	Timeout time.Duration // the server ends it then; 0 for a minute
	Trusted bool          // from a file of package cypher: it is not looked at before
}

// RunReadOnly runs a statement that a person wrote. The server runs it in a mode that
// refuses to write, and what changes the server or reads past the database is
// refused before, as ErrReadOnly. Values go as parameters alone.
func (s *Store) RunReadOnly(ctx context.Context, q UserQuery) (Table, error) {
	var table Table
	err := s.userTransaction(ctx, q, func(tx neo4j.ExplicitTransaction) error {
		if !q.Trusted {
			if err := checkReadOnly(ctx, tx.Run, s.database, q); err != nil {
				return err
			}
		}
		var err error
		table, err = ask(ctx, tx, q)
		return err
	})
	if err != nil {
		return Table{}, err
	}
	return table, nil
}

// userTransaction opens a transaction that only reads.
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
	tx, err := session.BeginTransaction(ctx, bounds(cmp.Or(q.Timeout, txTimeout))...)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close(context.WithoutCancel(ctx)) }() // nothing was written
	return fn(tx)
}

func ask(ctx context.Context, tx neo4j.ExplicitTransaction, q UserQuery) (Table, error) {
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

// position is where the server found an error, counted with our EXPLAIN.
var position = regexp.MustCompile(` \(line \d+, column \d+ \(offset: \d+\)\)`)

// userQueryError says what a person did wrong, as far as the server tells.
func userQueryError(err error) error {
	err = classify(err)
	server, ok := errors.AsType[*neo4j.Neo4jError](err)
	switch {
	case err == nil || errors.Is(err, ErrReadOnly):
		return err
	case !ok:
		return fmt.Errorf("ask: %w", err)
	case server.Code == "Neo.ClientError.Statement.AccessMode":
		return fmt.Errorf("%w: the statement writes", ErrReadOnly)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%w: the server ended it", ErrTimeLimit)
	case strings.Contains(server.Msg, "CALL { ... } IN TRANSACTIONS"):
		return fmt.Errorf("%w: CALL ... IN TRANSACTIONS opens transactions of its own", ErrReadOnly)
	case server.Category() == "Statement":
		return fmt.Errorf("%w: %s", ErrStatement, strings.TrimSpace(position.ReplaceAllString(server.Msg, "")))
	}
	return fmt.Errorf("ask: %w", err)
}
