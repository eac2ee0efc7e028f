package neo4jstore

import (
	"context"
	"errors"
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

// A runFunc runs a statement in a transaction.
type runFunc func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)

// runReadOnly checks a statement, unless it is trusted, runs it and reads its rows.
func runReadOnly(ctx context.Context, run runFunc, database string, q UserQuery) (Table, error) {
	if !q.Trusted {
		if err := checkReadOnly(ctx, run, database, q); err != nil {
			return Table{}, err
		}
	}
	result, err := run(ctx, q.Text, q.Params)
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
