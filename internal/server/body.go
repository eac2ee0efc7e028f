package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Limits of bodies, except for uploads.
const (
	maxBody  = 1 << 20 // bytes
	bodyTime = 10 * time.Second
)

// A readWriter is the writer of a request whose body has been read. It has no deadline for reading: huma sets one
// and does not remove it, and when it is over, net/http cancels the context of the request, while a model may still
// be writing.
type readWriter struct{ http.ResponseWriter }

// SetReadDeadline does nothing.
func (readWriter) SetReadDeadline(time.Time) error { return nil }

// Unwrap returns the writer for http.ResponseController.
func (w readWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// limitBodies reads the body of a request before a route does, within the limits. Uploads are read by their
// route.
func limitBodies(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == uploadPattern {
			mux.ServeHTTP(w, r)
			return
		}
		connection := http.NewResponseController(w)
		_ = connection.SetReadDeadline(time.Now().Add(bodyTime)) // a connection without deadlines has the limit of size only
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		_ = connection.SetReadDeadline(time.Time{})
		if err != nil {
			refuse(w, r, bodyProblem(err))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		mux.ServeHTTP(readWriter{w}, r)
	})
}

// bodyProblem returns the response for a body that cannot be read.
func bodyProblem(err error) *Problem {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return newProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("a request has at most %d KiB", maxBody>>10))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return newProblem(http.StatusRequestTimeout, "the request arrives too slowly")
	}
	return newProblem(http.StatusBadRequest, "the body of the request is not complete")
}
