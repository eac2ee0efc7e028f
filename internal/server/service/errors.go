package service

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/view/export"
)

// A Reason is why a request fails, in one word, for programs.
type Reason string

// Reasons of errors.
const (
	Invalid     Reason = "invalid"     // the request is wrong
	NotFound    Reason = "not_found"   // there is no such thing, or it is not shown
	Conflict    Reason = "conflict"    // the state of the corpus does not allow it
	Busy        Reason = "busy"        // too many requests
	NoModel     Reason = "no_model"    // the request needs a chat model
	Unavailable Reason = "unavailable" // Neo4j or a model cannot be reached
	Timeout     Reason = "timeout"     // the time of a request is over
	Internal    Reason = "internal"    // a fault of the server
)

// An Error is why a request fails. Its texts have no absolute path of the server.
type Error struct {
	Message string
	Hint    string // what to do; may be empty
	Reason  Reason

	cause error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// maxMessage is the longest message of an error, in bytes.
const maxMessage = 500

// NewError returns an error whose message is short and has no absolute path.
func NewError(reason Reason, message, hint string) *Error {
	return &Error{Message: text.Truncate(withoutPaths(message), maxMessage), Hint: hint, Reason: reason}
}

// causes are errors of other packages, with their reason and what a client can do.
var causes = []struct {
	error

	reason Reason
	hint   string
}{
	{query.ErrNoQuestion, Invalid, ""},
	{query.ErrUnknownMethod, Invalid, ""},
	{query.ErrFilter, Invalid, ""},
	{query.ErrNoContext, Invalid, ""},
	{query.ErrNoModel, NoModel, "name another method, or start the server with a chat model (--base-url and --model)"},
	{query.ErrNotIndexed, Conflict, "index the corpus first"},
	{export.ErrGraphChanged, Conflict, ""},
	{neo4jstore.ErrNoCorpus, NotFound, ""},
	{neo4jstore.ErrNoDocument, NotFound, ""},
	{neo4jstore.ErrUnreachable, Unavailable, "start Neo4j"},
	{context.DeadlineExceeded, Timeout, "ask again, or raise the time limits of the models"},
	{context.Canceled, Timeout, ""},
}

// ErrorOf returns the error that a client is shown.
func ErrorOf(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	e := NewError(Internal, err.Error(), "")
	for _, c := range causes {
		if errors.Is(err, c.error) {
			e.Reason, e.Hint = c.reason, c.hint
			break
		}
	}
	e.cause = err
	return e
}

// NoCorpus is the error for a corpus that does not exist or is not shown: both are the same to a client.
func NoCorpus(corpus string) *Error {
	return NewError(NotFound, "there is no corpus "+corpus, "the list of corpora has their names")
}

// absolute matches paths of the server's files.
var absolute = regexp.MustCompile(`(^|[\s"'(=])((?:[A-Za-z]:\\|/)[^\s"':;,)]*[/\\])([^\s"':;,)]*)`)

// withoutPaths shortens the absolute paths in a text to their last part.
func withoutPaths(text string) string {
	if !strings.ContainsAny(text, `/\`) {
		return text
	}
	return absolute.ReplaceAllString(text, "$1$3")
}
