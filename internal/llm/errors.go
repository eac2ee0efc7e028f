package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var (
	// ErrTruncated means that the answer ended at its token limit. The error carries
	// the text: errors.As to *AnswerError.
	ErrTruncated = errors.New("the model's answer was cut off at its token limit")
	// ErrInvalid means that the answer was invalid or empty, also when asked again.
	ErrInvalid = errors.New("the model's answer could not be used")
	// ErrBudget means that the call could cost more than the rest of the budget.
	ErrBudget = errors.New("the budget for model calls is spent")
	// ErrNoCredit means that the account of the key has no credit left.
	ErrNoCredit = errors.New("the account has no credit left")
	// ErrEmptyText means that a text to be embedded is empty.
	ErrEmptyText = errors.New("the text to embed is empty")
	// ErrNoJSON means that a text contains no JSON object or array.
	ErrNoJSON = errors.New("no JSON object or array found")
)

// An Error is a call that a server refused or that did not reach it.
type Error struct {
	Status        int // HTTP status, 0 without a response
	Retryable     bool
	RetryAfter    time.Duration // how long the server asks to wait, 0 if it does not say
	Message       string        // what happened and what to do; never contains a key
	ServerMessage string        // the message that the server sent; part of Message
	Cause         error

	refused *refusedPrompt // that is too long; nil if it was not sent
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, nil if it is not known.
func (e *Error) Unwrap() error { return e.Cause }

// RefusesContent reports whether the server refused the call because of its content: it is
// too long, against a policy, or not understood.
func (e *Error) RefusesContent() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge || e.Status == http.StatusUnprocessableEntity
}

// overloaded reports whether the server refused the call because it gets too many.
func (e *Error) overloaded() bool {
	if e.Status == http.StatusServiceUnavailable {
		return e.RetryAfter > 0
	}
	return e.Retryable && (e.Status == http.StatusTooManyRequests || e.Status == 529)
}

// IsFatal reports whether every further call of the model would fail too: the key is
// wrong, the model is unknown, the account has no credit or the budget is spent.
func IsFatal(err error) bool {
	if errors.Is(err, ErrBudget) || errors.Is(err, ErrNoCredit) {
		return true
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch refused.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return true
	}
	return false
}

// IsUnreachable reports whether no server answered.
func IsUnreachable(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && refused.Status == 0
}

// IsUnavailable reports whether a server answered that it could not serve a call now: it failed, is
// overloaded or allows no more calls.
func IsUnavailable(err error) bool {
	refused, ok := errors.AsType[*Error](err)
	return ok && (refused.Status == http.StatusRequestTimeout || refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError)
}

// ErrLoop means that the model repeats a passage without end. It is the Reason of an
// AnswerError whose Kind is ErrTruncated and whose Text has the passage once.
var ErrLoop = errors.New("the model repeats itself without end: use another model, or a penalty for repetition in its parameters")

// An AnswerError is an answer that cannot be used.
type AnswerError struct {
	Kind   error // ErrTruncated or ErrInvalid
	Reason error // what is wrong, or what raises the token limit; may be nil
	Text   string
}

// Error says what is wrong. It does not include the text.
func (e *AnswerError) Error() string {
	switch {
	case errors.Is(e.Reason, ErrLoop):
		return e.Reason.Error()
	case errors.Is(e.Kind, ErrTruncated):
		return e.Kind.Error() + ": " + e.Advice() + ", or send less text"
	case e.Reason != nil:
		return fmt.Sprintf("%v: %v", e.Kind, e.Reason)
	default:
		return e.Kind.Error()
	}
}

// Advice says how to allow longer answers, for one that was cut off.
func (e *AnswerError) Advice() string {
	if e.Reason == nil {
		return "raise max_tokens"
	}
	return e.Reason.Error()
}

// Unwrap returns the kind and the reason.
func (e *AnswerError) Unwrap() []error {
	if e.Reason == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Reason}
}

// A TextError is an Embed call that failed because of one of its texts.
type TextError struct {
	Index int // of the text
	Err   error
}

// Error names the text by its number, counted from 1.
func (e *TextError) Error() string { return fmt.Sprintf("embed text %d: %v", e.Index+1, e.Err) }

// Unwrap returns what is wrong with the text.
func (e *TextError) Unwrap() error { return e.Err }
