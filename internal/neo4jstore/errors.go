package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/neo4jstore/internal/arcs"
	"github.com/neorag/neorag/internal/text"
)

// What callers decide on.
var (
	ErrUnreachable  = errors.New("no Neo4j can be reached")
	ErrUnauthorized = errors.New("Neo4j refuses the user or password")
	ErrForbidden    = errors.New("the user may not do this in Neo4j")
	ErrVersion      = errors.New("this Neo4j is too old")
	ErrNoCorpus     = errors.New("no such corpus")
	ErrLeased       = errors.New("another process is writing to the corpus")
	ErrLeaseLost    = errors.New("another process took over writing to the corpus")
	ErrMemory       = errors.New("Neo4j has too little memory for one transaction")
	ErrDiskFull     = errors.New("the disk of Neo4j is full")
	ErrStopped      = errors.New("Neo4j stopped the database after an error, such as a full disk")
	ErrMissingEnd   = arcs.ErrMissing
	ErrSchema       = errors.New("another neorag made the corpus")
	ErrDimension    = errors.New("vectors of another dimension")
)

// minVersion is the oldest server that the statements run on.
const minVersion = "5.26"

// errTooLong is a transaction that the server ended at its time limit.
var errTooLong = errors.New("the transaction took too long")

// openError says what to do when the first question to the server fails.
func openError(err error, address, database, user string) error {
	if server, ok := errors.AsType[*neo4j.Neo4jError](err); ok {
		switch server.Code {
		case "Neo.ClientError.Security.AuthenticationRateLimit":
			return fmt.Errorf("open %s: %w: too many wrong passwords for user %q; wait a few seconds, then give the right one", address, ErrUnauthorized, user)
		case "Neo.ClientError.Security.CredentialsExpired":
			return fmt.Errorf("open %s: %w: the password of user %q has to be changed first; neorag cannot do that", address, ErrUnauthorized, user)
		case "Neo.ClientError.Database.DatabaseNotFound":
			return fmt.Errorf("open %s: %w: there is no database %q; the one of the Community edition is neo4j", address, ErrUnreachable, database)
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
		return fmt.Errorf("open %s: %w: it takes connections but answers no question; it may be starting, or stuck: look at its logs", address, ErrUnreachable)
	}
	if strings.Contains(err.Error(), "x509:") {
		return fmt.Errorf("open %s: %w: its certificate is not trusted here; bolt+ssc:// takes any (%s)", address, ErrUnreachable, cause(err))
	}
	return fmt.Errorf("open %s: %w: the connection broke; look at the server's logs (%s)", address, ErrUnreachable, cause(err))
}

// cause is what the driver says of a broken connection, in one line.
func cause(err error) string {
	if lost, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		if lost.Inner == nil {
			return "the driver does not say why"
		}
		err = lost.Inner
	}
	return text.OneLine(err.Error())
}

// classify adds the sentinel that says what kind of failure it is.
func classify(err error) error {
	if lost, ok := errors.AsType[*neo4j.ConnectivityError](err); ok {
		return &lostError{lost}
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
		// The server does not say why it could not append to its log, and may say more in several lines.
		return fmt.Errorf("%w, or cannot be written to: make room, then start the server again (%w)", ErrDiskFull, &lineError{err})
	case strings.Contains(server.Msg, "critical error, and needs to be restarted") || strings.Contains(server.Code, "BookmarkTimeout"):
		// A database that cannot write its log never reaches the transaction that a reader waits for.
		return fmt.Errorf("%w: look at its logs and at the room on its disk, then start the server again (%w)", ErrStopped, err)
	case strings.Contains(server.Code, "TransactionTimedOut"):
		return fmt.Errorf("%w (%w)", errTooLong, err)
	case server.Code == "Neo.ClientError.Security.Forbidden":
		return fmt.Errorf("%w: give it a role that may write and make indexes (%w)", ErrForbidden, err)
	}
	return err
}

// A lineError is one whose text is brought to one line.
type lineError struct{ cause error }

func (e *lineError) Error() string { return text.OneLine(e.cause.Error()) }
func (e *lineError) Unwrap() error { return e.cause }

// A lostError is a connection that broke. The driver's own text can have
// several lines.
type lostError struct{ cause *neo4j.ConnectivityError }

func (e *lostError) Error() string {
	return fmt.Sprintf("%v: the connection broke (%s)", ErrUnreachable, cause(e.cause))
}

func (e *lostError) Unwrap() []error { return []error{ErrUnreachable, e.cause} }

// statementError names the statement that failed. The statement's text and its
// parameters stay out: they are long, and hold what people wrote.
func statementError(st cypher.Statement, err error) error {
	return fmt.Errorf("statement %s: %w", st, classify(err))
}

// transient says that another try may succeed.
func transient(err error) bool {
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

// versionFits compares "5.26.30" or "2025.10.1" with minVersion.
func versionFits(version string) bool {
	number := func(text string) (major, minor int) {
		first, rest, _ := strings.Cut(text, ".")
		second, _, _ := strings.Cut(rest, ".")
		second, _, _ = strings.Cut(second, "-")
		major, _ = strconv.Atoi(first)
		minor, _ = strconv.Atoi(second)
		return major, minor
	}
	major, minor := number(version)
	leastMajor, leastMinor := number(minVersion)
	return major > leastMajor || major == leastMajor && minor >= leastMinor
}
