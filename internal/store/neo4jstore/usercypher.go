package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/text"
)

// RunReadOnly runs a statement of a user. The server runs it in a mode in which it cannot
// write, and usercypher.Check refuses what that mode allows besides reading
// this database. Values are passed only as parameters.
func (s *Store) RunReadOnly(ctx context.Context, q usercypher.Query) (usercypher.Table, error) {
	var table usercypher.Table
	ctx, unwatch := limitHeap(ctx, q)
	defer unwatch()
	err := s.userTransaction(ctx, q, func(tx neo4j.ExplicitTransaction) error {
		var err error
		table, err = usercypher.Run(ctx, tx.Run, s.database, q)
		return err
	})
	if cause := context.Cause(ctx); errors.Is(cause, usercypher.ErrSize) {
		return usercypher.Table{}, cause
	}
	if err != nil {
		return usercypher.Table{}, err
	}
	return table, nil
}

// Explain returns the plan of a statement of a user. The statement is not run, so it may
// be one that writes.
func (s *Store) Explain(ctx context.Context, q usercypher.Query) (usercypher.Plan, error) {
	var plan usercypher.Plan
	err := s.userTransaction(ctx, q, func(tx neo4j.ExplicitTransaction) error {
		var err error
		plan, err = usercypher.Explain(ctx, tx.Run, q)
		return err
	})
	return plan, err
}

// userTransaction calls fn with a read transaction, with the limits of q.
func (s *Store) userTransaction(ctx context.Context, q usercypher.Query, fn func(neo4j.ExplicitTransaction) error) error {
	fetch := fetchSize
	if q.Limit > 0 {
		fetch = min(fetch, q.Limit+1)
	}
	return userQueryError(s.session(ctx, neo4j.AccessModeRead, fetch, func(session neo4j.SessionWithContext) error {
		tx, err := session.BeginTransaction(ctx, txConfig(cmp.Or(q.Timeout, DefaultTimeLimit))...)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Close(context.WithoutCancel(ctx)) }() // nothing was written
		return fn(tx)
	}))
}

// errorPosition is the position in an error of the server, which counts the added EXPLAIN.
var errorPosition = regexp.MustCompile(` \(line \d+, column \d+ \(offset: \d+\)\)`)

// userQueryError turns an error of the server into one of the errors for callers.
func userQueryError(err error) error {
	err = classify(err)
	server, ok := errors.AsType[*neo4j.Neo4jError](err)
	switch {
	case err == nil || errors.Is(err, usercypher.ErrReadOnly):
		return err
	case !ok:
		return fmt.Errorf("run statement: %w", err)
	case server.Code == "Neo.ClientError.Statement.AccessMode":
		return fmt.Errorf("%w: the statement writes", usercypher.ErrReadOnly)
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%w: the server ended it", usercypher.ErrTimeLimit)
	case strings.Contains(server.Msg, "CALL { ... } IN TRANSACTIONS"):
		return fmt.Errorf("%w: CALL ... IN TRANSACTIONS starts other transactions", usercypher.ErrReadOnly)
	case server.Classification() == "DatabaseError":
		return fmt.Errorf("%w: the server failed while it ran the statement, perhaps on a value that is too large: %s", usercypher.ErrServer, text.OneLine(server.Error()))
	case server.Category() != "Statement" && server.Category() != "Procedure":
		return fmt.Errorf("run statement: %w", err)
	}
	kind := usercypher.ErrFailed
	if slices.Contains(notUnderstood, server.Title()) && !errors.Is(err, kind) {
		kind = usercypher.ErrStatement
	}
	return fmt.Errorf("%w: %s", kind, strings.TrimSpace(errorPosition.ReplaceAllString(server.Msg, "")))
}

// notUnderstood are the errors of statements that the server does not begin to run.
var notUnderstood = []string{
	"SyntaxError", "SemanticError", "ParameterMissing", "ProcedureNotFound", "NotSystemDatabaseError",
	"UnsupportedAdministrationCommand", "UnsupportedOperationError", "RuntimeUnsupportedError",
}
