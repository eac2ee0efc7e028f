package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/neo4jstore/internal/arcs"
	"github.com/neorag/neorag/internal/text"
)

// Errors that callers handle.
var (
	ErrUnreachable  = errors.New("cannot connect to Neo4j")
	ErrUnauthorized = errors.New("Neo4j rejects the user or password")
	ErrForbidden    = errors.New("the user lacks a permission in Neo4j")
	ErrDatabase     = errors.New("the database cannot be used")
	ErrReadOnly     = errors.New("the database is read-only")
	ErrVersion      = errors.New("this Neo4j is too old")
	ErrNoCorpus     = errors.New("no such corpus")
	ErrLeased       = errors.New("another process is writing to the corpus")
	ErrLeaseLost    = errors.New("another process took over writing to the corpus")
	ErrCancelled    = errors.New("the run was cancelled")
	ErrNotRequested = errors.New("no run is requested")
	ErrMemory       = errors.New("Neo4j has too little memory for one transaction")
	ErrDiskFull     = errors.New("the disk of Neo4j is full")
	ErrStopped      = errors.New("Neo4j stopped the database after an error, such as a full disk")
	ErrMissingEnd   = arcs.ErrMissing
	ErrSchema       = errors.New("the corpus has another schema version")
	ErrDimension    = errors.New("vectors have another dimension")
)

// minVersion is the oldest version of Neo4j that supports the statements.
const minVersion = "5.26"

// errTooLong is matched by errors about a transaction that the server ended at its time limit.
var errTooLong = errors.New("the transaction took too long")

// openError explains why the first statement failed, and what to do.
func openError(err error, address, database, user string) error {
	if server, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		switch server.Code {
		case "Neo.ClientError.Security.AuthenticationRateLimit":
			return fmt.Errorf("open %s: %w: too many wrong passwords for user %q; wait a few seconds, then give the right one", address, ErrUnauthorized, user)
		case "Neo.ClientError.Security.CredentialsExpired":
			return fmt.Errorf("open %s: %w: the password of user %q must be changed first, for example in Neo4j Browser", address, ErrUnauthorized, user)
		case "Neo.ClientError.Database.DatabaseNotFound", "Neo.ClientError.Database.HomeDatabaseNotFound":
			return fmt.Errorf("open %s: %w: %s does not exist", address, ErrDatabase, databaseOf(database, user))
		}
		if server.Title() == "DatabaseUnavailable" && !errors.Is(err, ErrStopped) {
			return fmt.Errorf("open %s: %w: %s is not available: it is starting, or could not start; check its logs", address, ErrStopped, databaseOf(database, user))
		}
		if server.Category() == "Security" && !errors.Is(err, ErrForbidden) {
			return fmt.Errorf("open %s: %w: check NEO4J_USERNAME and NEO4J_PASSWORD (user %q)", address, ErrUnauthorized, user)
		}
		return fmt.Errorf("open %s: %w", address, err)
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("open %s: %w", address, err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("open %s: %w: it accepts connections but does not respond; it may be starting, or stuck: check its logs", address, ErrUnreachable)
	}
	if strings.Contains(err.Error(), "x509:") {
		return fmt.Errorf("open %s: %w: its certificate is not trusted (%s): name a file with the certificate of its authority in SSL_CERT_FILE, or accept any certificate with bolt+ssc:// or neo4j+ssc://",
			address, ErrUnreachable, connectivityCause(err))
	}
	return fmt.Errorf("open %s: %w: the connection was lost; check the server's logs (%s)", address, ErrUnreachable, connectivityCause(err))
}

// databaseOf names the database of a configuration.
func databaseOf(database, user string) string {
	if database == "" {
		return fmt.Sprintf("the home database of user %q", user)
	}
	return fmt.Sprintf("%q", database)
}

// connectivityCause returns the cause of a lost connection on one line.
func connectivityCause(err error) string {
	if lost, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		if lost.Inner == nil {
			return "unknown cause"
		}
		err = lost.Inner
	}
	return text.OneLine(err.Error())
}

// classify wraps an error of the server with the sentinel of its kind.
func classify(err error) error {
	if lost, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		return &connectionError{lost}
	}
	var server *neo4j.Neo4jError
	if err == nil || !errors.As(err, &server) {
		return err
	}
	switch {
	case strings.Contains(server.Code, "OutOfMemory") || strings.Contains(server.Code, "MemoryLimit"):
		return fmt.Errorf("%w: give the server more heap (%w)", ErrMemory, err)
	case strings.Contains(server.Msg, "No space left") || strings.Contains(server.Msg, "Could not append transaction") ||
		server.Code == "Neo.DatabaseError.Transaction.TransactionLogError":
		// The server does not report why it could not append to its log, and its message
		// may have several lines.
		return fmt.Errorf("%w, or not writable: free some space, then restart the server (%w)", ErrDiskFull, &oneLineError{err})
	case strings.Contains(server.Msg, "critical error, and needs to be restarted") || strings.Contains(server.Msg, "Could not apply the transaction") || strings.Contains(server.Code, "BookmarkTimeout"):
		// A database that cannot write its log never reaches the transaction that a reader
		// waits for.
		return fmt.Errorf("%w: check its logs and the free space on its disk, then restart the server (%w)", ErrStopped, err)
	case server.Title() == "DatabaseUnavailable":
		return fmt.Errorf("%w: its database is starting or stopping (%w)", ErrUnreachable, err)
	case strings.Contains(server.Code, "TransactionTimedOut"):
		return fmt.Errorf("%w (%w)", errTooLong, err)
	case server.Code == "Neo.ClientError.Security.Forbidden":
		return fmt.Errorf("%w: give it a role that may write and create indexes (%w)", ErrForbidden, err)
	case server.Code == "Neo.ClientError.Cluster.NotALeader":
		return &silentCause{fmt.Errorf("%w on this member of the cluster: an address with neo4j:// instead of bolt:// finds the one that writes", ErrReadOnly), err}
	case server.Title() == "WriteOnReadOnlyAccessDatabase" || server.Title() == "ForbiddenOnReadOnlyDatabase":
		return &silentCause{ErrReadOnly, err} // the server says no more
	}
	return err
}

// A oneLineError has the text of its cause on one line.
type oneLineError struct{ cause error }

func (e *oneLineError) Error() string { return text.OneLine(e.cause.Error()) }
func (e *oneLineError) Unwrap() error { return e.cause }

// A connectionError is a lost connection. The text of the driver may have several
// lines.
type connectionError struct{ cause *neo4j.ConnectivityError }

func (e *connectionError) Error() string {
	return fmt.Sprintf("%v: the connection was lost (%s)", ErrUnreachable, connectivityCause(e.cause))
}

func (e *connectionError) Unwrap() []error { return []error{ErrUnreachable, e.cause} }

// interrupted makes an error match the reason why its context ended, which the driver only
// mentions in its text.
func interrupted(ctx context.Context, err error) error {
	if reason := ctx.Err(); err != nil && reason != nil && !errors.Is(err, reason) {
		return &silentCause{err, reason}
	}
	return err
}

// A silentCause is an error with a further cause that its text leaves out.
type silentCause struct {
	error

	cause error
}

func (e *silentCause) Unwrap() []error { return []error{e.error, e.cause} }

// statementError names the statement that failed. It leaves out the text and its
// parameters, which are long and contain texts of users.
func statementError(st cypher.Statement, err error) error {
	return fmt.Errorf("statement %s: %w", st, classify(err))
}

// isTransient reports whether a retry may succeed.
func isTransient(err error) bool {
	if errors.Is(err, ErrMemory) || errors.Is(err, ErrDiskFull) || errors.Is(err, ErrStopped) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if server, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		// A server that shuts down ends transactions; it may come back.
		ended := server.Title() == "Terminated" || server.Title() == "LockClientStopped"
		return (ended || server.IsRetriable()) && server.Category() != "Security"
	}
	var lost *neo4j.ConnectivityError
	return errors.As(err, &lost) || neo4j.IsRetryable(err)
}

// supportsVersion reports whether a version such as "5.26.30" or "2025.10.1" is
// minVersion or newer.
func supportsVersion(version string) bool {
	parse := func(text string) (major, minor int) {
		first, rest, _ := strings.Cut(text, ".")
		second, _, _ := strings.Cut(rest, ".")
		second, _, _ = strings.Cut(second, "-")
		major, _ = strconv.Atoi(first)
		minor, _ = strconv.Atoi(second)
		return major, minor
	}
	major, minor := parse(version)
	minMajor, minMinor := parse(minVersion)
	return major > minMajor || major == minMajor && minor >= minMinor
}
