package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

func TestSupportsVersion(t *testing.T) {
	for version, want := range map[string]bool{
		"5.26.30": true, "5.26.0": true, "5.27.0-aura": true, "2025.10.1": true, "5.25.1": false, "4.4.40": false, "5.26-rc1": true, "": false,
	} {
		if got := supportsVersion(version); got != want {
			t.Errorf("supportsVersion(%q) = %v", version, got)
		}
	}
}

func TestErrorsAreClassified(t *testing.T) {
	server := func(code, message string) error { return &neo4j.Neo4jError{Code: code, Msg: message} }
	tests := []struct {
		err       error
		is        error
		transient bool
	}{
		{server("Neo.TransientError.General.MemoryPoolOutOfMemoryError", "x"), ErrMemory, false},
		{server("Neo.TransientError.Transaction.TransactionMemoryLimit", "x"), ErrMemory, false},
		{server("Neo.DatabaseError.Transaction.TransactionCommitFailed", "java.io.IOException: No space left on device"), ErrDiskFull, false},
		{server("Neo.TransientError.General.DatabaseUnavailable", "No space left on device"), ErrDiskFull, false},
		{server("Neo.ClientError.Security.Forbidden", "x"), ErrForbidden, false},
		{server("Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", "x"), ErrReadOnly, false},
		{server("Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "x"), ErrReadOnly, true}, // another member of a cluster may write
		{server("Neo.ClientError.Cluster.NotALeader", "x"), ErrReadOnly, true},
		{server("Neo.ClientError.Transaction.TransactionTimedOut", "x"), errTooLong, false},
		{server("Neo.TransientError.Transaction.DeadlockDetected", "x"), nil, true},
		{server("Neo.TransientError.General.DatabaseUnavailable", "x"), ErrUnreachable, true},
		{server("Neo.ClientError.Statement.SyntaxError", "x"), nil, false},
		{&neo4j.ConnectivityError{}, ErrUnreachable, true},
		{context.Canceled, context.Canceled, false},
	}
	for _, test := range tests {
		err := fmt.Errorf("statement x: %w", classify(test.err))
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("classify(%v) is not %v", test.err, test.is)
		}
		if got := isTransient(err); got != test.transient {
			t.Errorf("isTransient(%v) = %v", err, got)
		}
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	for code, says := range map[string]string{
		"Neo.ClientError.Security.Unauthorized":            "check NEO4J_USERNAME",
		"Neo.ClientError.Security.AuthenticationRateLimit": "wait",
		"Neo.ClientError.Security.CredentialsExpired":      "changed first",
		"Neo.ClientError.Security.Forbidden":               "role",
		"Neo.ClientError.Database.DatabaseNotFound":        `"db" does not exist`,
		"Neo.ClientError.Database.HomeDatabaseNotFound":    "does not exist",
		"Neo.TransientError.General.DatabaseUnavailable":   "check its logs",
	} {
		err := openError(classify(&neo4j.Neo4jError{Code: code, Msg: "x"}), "host:1", "db", "user")
		if !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", code, err, says)
		}
	}
}

// An error inside the server is not a mistake in the statement, which the server may describe in
// a word only.
func TestUserQueryErrors(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]error{
		"Neo.ClientError.Statement.SyntaxError":         usercypher.ErrStatement,
		"Neo.ClientError.Statement.SemanticError":       usercypher.ErrStatement,
		"Neo.ClientError.Statement.ParameterMissing":    usercypher.ErrStatement,
		"Neo.ClientError.Procedure.ProcedureNotFound":   usercypher.ErrStatement,
		"Neo.ClientError.Statement.ArithmeticError":     usercypher.ErrFailed,
		"Neo.ClientError.Statement.TypeError":           usercypher.ErrFailed,
		"Neo.ClientError.Statement.ArgumentError":       usercypher.ErrFailed,
		"Neo.ClientError.Statement.EntityNotFound":      usercypher.ErrFailed,
		"Neo.ClientError.Procedure.ProcedureCallFailed": usercypher.ErrFailed,
		"Neo.ClientError.Statement.AccessMode":          usercypher.ErrReadOnly,
		"Neo.DatabaseError.Statement.ExecutionFailed":   usercypher.ErrServer,
		"Neo.DatabaseError.General.UnknownError":        usercypher.ErrServer,
	} {
		err := userQueryError(&neo4j.Neo4jError{Code: code, Msg: "-2147483648"})
		if !errors.Is(err, want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %v", code, err, want)
		}
	}
}

// What a server says of a read-only database is no help, and its error is still known.
func TestReadOnlyIsPlain(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"Neo.ClientError.General.WriteOnReadOnlyAccessDatabase", "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase", "Neo.ClientError.Cluster.NotALeader"} {
		err := classify(&neo4j.Neo4jError{Code: code, Msg: "No write operations are allowed"})
		server, ok := errors.AsType[*neo4j.Neo4jError](err)
		if text := err.Error(); !strings.HasPrefix(text, ErrReadOnly.Error()) || strings.Contains(text, "Neo.") || !ok || server.Code != code {
			t.Errorf("classify of %s: %v", code, err)
		}
	}
}

// The text of the driver may have several lines, or no cause.
func TestLostConnectionIsOneLine(t *testing.T) {
	t.Parallel()
	for _, inner := range []error{nil, errors.New("EOF"), errors.New("timeout\n  at 1\n  at 2")} {
		err := classify(fmt.Errorf("x: %w", &neo4j.ConnectivityError{Inner: inner}))
		if text := err.Error(); !errors.Is(err, ErrUnreachable) || !isTransient(err) || strings.Contains(text, "\n") || strings.Contains(text, "ConnectivityError") {
			t.Errorf("classify of %v: %v", inner, err)
		}
	}
}
