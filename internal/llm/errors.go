package llm

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

var (
	// ErrTruncated means that the answer ended at its limit of tokens. The error carries
	// the text: errors.As to *AnswerError.
	ErrTruncated = errors.New("the model's answer was cut off at its limit of tokens")
	// ErrInvalid means that the answer was not what was asked for, also when asked again.
	ErrInvalid = errors.New("the model's answer could not be used")
	// ErrBudget means that the call could cost more than what is left of the budget.
	ErrBudget = errors.New("the budget for model calls is spent")
	// ErrEmptyText means that a text to be embedded is empty.
	ErrEmptyText = errors.New("there is no text to embed")
	// ErrNoJSON means that a text holds no JSON object or array.
	ErrNoJSON = errors.New("no JSON object or array found")
)

// An Error is a call that a server refused or that did not get through.
type Error struct {
	Status        int // HTTP status, 0 where no answer came
	Retryable     bool
	RetryAfter    time.Duration // how long the server asks to wait, 0 where it does not say
	Message       string        // what happened and what to do; never holds a key
	ServerMessage string        // the server's own words, part of Message
	Cause         error
}

// Error gives the message.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause, if it is known.
func (e *Error) Unwrap() error { return e.Cause }

// overloaded reports that a server refuses calls because it gets too many.
func (e *Error) overloaded() bool {
	if e.Status == http.StatusServiceUnavailable {
		return e.RetryAfter > 0
	}
	return e.Retryable && (e.Status == http.StatusTooManyRequests || e.Status == 529)
}

// An AnswerError is an answer that came and cannot be used.
type AnswerError struct {
	Kind   error // ErrTruncated or ErrInvalid
	Reason error // what is wrong, may be nil
	Text   string
}

// Error says what is wrong; the text is left to the caller.
func (e *AnswerError) Error() string {
	switch {
	case e.Reason != nil:
		return fmt.Sprintf("%v: %v", e.Kind, e.Reason)
	case errors.Is(e.Kind, ErrTruncated):
		return e.Kind.Error() + ": allow more tokens or send less text"
	default:
		return e.Kind.Error()
	}
}

// Unwrap makes errors.Is find the kind and the reason.
func (e *AnswerError) Unwrap() []error {
	if e.Reason == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Reason}
}

// A TextError says which text of an Embed call the server refused.
type TextError struct {
	Index int
	Err   error
}

// Error names the text by its place, counted from 1.
func (e *TextError) Error() string { return fmt.Sprintf("embed text %d: %v", e.Index+1, e.Err) }

// Unwrap gives the refusal.
func (e *TextError) Unwrap() error { return e.Err }
