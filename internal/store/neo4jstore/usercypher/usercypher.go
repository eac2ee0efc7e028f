// Package usercypher runs and explains statements that users wrote, and refuses those that might
// do anything but read one database.
package usercypher

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// Errors that callers handle.
var (
	// ErrReadOnly is returned for a statement that might do anything but read this database.
	ErrReadOnly = errors.New("only reading is allowed")
	// ErrStatement is returned for a statement that the server does not understand.
	ErrStatement = errors.New("Neo4j does not understand the statement")
	// ErrFailed is returned for a statement that failed on the values that it read or computed.
	ErrFailed = errors.New("the statement failed while it ran")
	// ErrServer is returned for a statement that caused an error inside the server.
	ErrServer = errors.New("Neo4j could not run the statement")
	// ErrTimeLimit is returned for a statement that exceeded its time limit.
	ErrTimeLimit = errors.New("the statement took too long")
	// ErrSize is returned for a result that takes more memory than allowed.
	ErrSize = errors.New("the result is too large")
)

// A Query is a read statement of a user.
type Query struct {
	Text     string
	Params   map[string]any
	Limit    int           // maximum number of rows; 0 for all
	Timeout  time.Duration // after which the server ends it; 0 for a minute
	MaxBytes int64         // of memory that the result takes in this process, roughly; 0 for any size
	// TooLarge, unless nil, is called with the error of a result that exceeds MaxBytes while its
	// decoding cannot be stopped, so that the process can end before it takes more.
	TooLarge func(error)
	Trusted  bool // from package cypher: not checked before it runs
}

// A RunFunc runs a statement in a transaction.
type RunFunc func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)

// Run checks a statement, unless it is trusted, runs it and reads its rows.
func Run(ctx context.Context, run RunFunc, database string, q Query) (Table, error) {
	if !q.Trusted {
		if err := Check(ctx, run, database, q); err != nil {
			return Table{}, err
		}
	}
	result, err := run(ctx, q.Text, q.Params)
	if err != nil {
		return Table{}, Failed(err)
	}
	table := Table{Rows: [][]any{}}
	if table.Columns, err = result.Keys(); err != nil {
		return Table{}, err
	}
	for ctx.Err() == nil && result.Next(ctx) {
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
	return table, errors.Join(ctx.Err(), Failed(result.Err()))
}

// Failed returns an error of a statement that Check accepted. The server also reports a text that
// is not a date as an error of syntax. The statement has none then, and the error is ErrFailed.
func Failed(err error) error {
	if server, ok := errors.AsType[*neo4j.Neo4jError](err); ok && server.Title() == "SyntaxError" {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return err
}
