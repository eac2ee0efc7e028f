package neo4jstore

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// The error messages of Neo4j 5.26 when its disk becomes full during a run, after that, and
// when it shuts down.
func TestErrorsOfAFullDisk(t *testing.T) {
	t.Parallel()
	tests := []struct {
		code, message string
		is            error
		again         bool
	}{
		{
			"Neo.DatabaseError.Transaction.TransactionLogError",
			"Could not append transaction: Transaction #111 {started 2026-11-21 14:50:56.973+0000, committed 2026-11-21 14:50:58.458+0000, with 2421 commands in this transaction, lease -1, latest committed transaction id when started was 107, consensusIndex: -1} to log.",
			ErrDiskFull, false,
		},
		{
			"Neo.DatabaseError.Schema.ConstraintCreationFailed",
			"Unable to create Constraint( name='corpus_key', type='UNIQUENESS', schema=(:Corpus {key}) ):\nCould not append transaction: Transaction #6 to log.. Note that only the first found violation is shown.",
			ErrDiskFull, false,
		},
		{
			"Neo.DatabaseError.Transaction.TransactionStartFailed",
			"The database has encountered a critical error, and needs to be restarted. Please see database logs for more details.",
			ErrStopped, false,
		},
		{
			"Neo.DatabaseError.Transaction.TransactionCommitFailed",
			"Could not apply the transaction: Transaction #307 {with 42 commands in this transaction} to the store after written to log.",
			ErrStopped, false,
		},
		{"Neo.TransientError.General.DatabaseUnavailable", "The database has encountered a critical error, and needs to be restarted.", ErrStopped, false},
		{"Neo.ClientError.Transaction.Terminated", "The transaction has been terminated.", nil, true},
		{"Neo.TransientError.Transaction.Terminated", "The transaction has been terminated.", nil, true},
		{"Neo.TransientError.Transaction.BookmarkTimeout", "Database 'neo4j' not up to the requested version", ErrStopped, false},
		{"Neo.TransientError.Transaction.LockClientStopped", "The transaction has been terminated.", nil, true},
		{"Neo.TransientError.General.DatabaseUnavailable", "The database is not currently available.", nil, true},
		{"Neo.ClientError.Security.AuthorizationExpired", "x", nil, false},
	}
	for _, tt := range tests {
		err := fmt.Errorf("write x: %w", classify(&neo4j.Neo4jError{Code: tt.code, Msg: tt.message}))
		for _, kind := range []error{ErrDiskFull, ErrStopped} {
			if got := errors.Is(err, kind); got != errors.Is(tt.is, kind) {
				t.Errorf("%s: is %q = %v", tt.code, kind, got)
			}
		}
		if tt.is != nil && !strings.Contains(err.Error(), "restart the server") {
			t.Errorf("%s does not say what to do: %v", tt.code, err)
		}
		if tt.is != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s has several lines: %v", tt.code, err)
		}
		if got := isTransient(err); got != tt.again {
			t.Errorf("isTransient(%v) = %v, want %v", err, got, tt.again)
		}
	}
}

// The oldest supported version, and invalid versions.
func TestSupportsOldestVersion(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"5.26": true, "5.26.0": true, "5.26.30": true, "5.26-aura": true, "5.100.1": true, "6.0.0": true, "2025.01.0": true, "2026.1": true,
		"5.25": false, "5.25.99": false, "5.3.0": false, "5": false, "4.4.48": false, "3.5.35": false, "": false, "unknown": false, "dev": false,
	}
	for version, want := range tests {
		if got := supportsVersion(version); got != want {
			t.Errorf("supportsVersion(%q) = %v, want %v", version, got, want)
		}
	}
}
