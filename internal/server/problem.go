package server

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/neorag/neorag/internal/server/service"
)

// A Problem is the body of every response with a status of 400 or more.
type Problem struct {
	Body ErrorBody `json:"error"`

	status int
}

// An ErrorBody says what is wrong.
type ErrorBody struct {
	Message string         `json:"message"`
	Hint    string         `json:"hint" doc:"What to do; may be empty"`
	Reason  service.Reason `json:"reason" doc:"In one word, for programs"`
}

// Error returns the message.
func (p *Problem) Error() string { return p.Body.Message }

// GetStatus returns the status of the response.
func (p *Problem) GetStatus() int { return p.status }

// statuses are the statuses of reasons.
var statuses = map[service.Reason]int{
	service.Invalid: http.StatusUnprocessableEntity, service.NotFound: http.StatusNotFound, service.Conflict: http.StatusConflict, service.Busy: http.StatusTooManyRequests,
	service.NoModel: http.StatusUnprocessableEntity, service.Unavailable: http.StatusServiceUnavailable, service.Timeout: http.StatusGatewayTimeout, service.Internal: http.StatusInternalServerError,
}

// reasonOf returns the reason of a status that a library or a fence chose.
func reasonOf(status int) service.Reason {
	switch {
	case status == http.StatusUnauthorized:
		return "token"
	case status == http.StatusForbidden, status == http.StatusMisdirectedRequest:
		return "foreign"
	case status == http.StatusRequestEntityTooLarge:
		return "too_large"
	case status == http.StatusNotFound:
		return service.NotFound
	case status >= http.StatusInternalServerError:
		return service.Internal
	}
	return service.Invalid
}

func problemOf(e *service.Error) *Problem {
	return &Problem{ErrorBody{e.Message, e.Hint, e.Reason}, statuses[e.Reason]}
}

func newProblem(status int, message string) *Problem {
	p := problemOf(service.NewError(reasonOf(status), message, ""))
	p.status = status
	return p
}

func init() { //nolint:gochecknoinits // the only way to give the errors of huma another form
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if err := errors.Join(errs...); err != nil {
			message += ": " + strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		return newProblem(status, message)
	}
}

// problem returns the response of an error, and logs one that is the server's fault.
func (s *server) problem(ctx context.Context, err error) *Problem {
	e := service.ErrorOf(err)
	if e.Reason == service.Internal && ctx.Err() == nil {
		s.Log.ErrorContext(ctx, "cannot answer a request", "error", err)
	}
	return problemOf(e)
}

// writeProblem writes an error in the form of all errors.
func writeProblem(w http.ResponseWriter, p *Problem) { writeJSON(w, p.status, p) }
