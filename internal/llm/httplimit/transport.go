// Package httplimit bounds what a model server can send, and how long it can be silent.
package httplimit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Bounds that hold for every server. The body of a response without a 2xx status is cut
// off after maxRefusal bytes or refusalTime: the status is enough to fail the call.
const (
	maxHeaders  = 256 << 10
	maxRefusal  = 64 << 10
	refusalTime = 10 * time.Second
)

// Options configure a transport.
type Options struct {
	Connections int // idle ones that are kept open; 0: the default
	// FirstByte is the longest wait for the headers of a response, and then for the first
	// byte of its body; 0: no limit.
	FirstByte time.Duration
	// Silence is the longest wait for each further byte; 0: no limit.
	Silence time.Duration
	// Base replaces the network in tests.
	Base http.RoundTripper
}

// A SilentError means that a server sent nothing for too long.
type SilentError struct{ After time.Duration }

// Error says how long the server was silent.
func (e *SilentError) Error() string { return fmt.Sprintf("the server sent nothing for %v", e.After) }

// Is makes the error a context.DeadlineExceeded, as other timeouts are.
func (e *SilentError) Is(target error) bool { return target == context.DeadlineExceeded }

// Transport returns a transport with bounds. The limits of bytes count a compressed body
// as it is decompressed.
func Transport(o Options) http.RoundTripper {
	if o.Base == nil {
		o.Base = network(o.Connections)
	}
	return &transport{o}
}

// network returns the default transport with bounded headers.
func network(idle int) http.RoundTripper {
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t := base.Clone()
	t.MaxResponseHeaderBytes = maxHeaders
	if idle > 0 {
		t.MaxIdleConns, t.MaxIdleConnsPerHost = idle, idle
	}
	return t
}

type transport struct{ Options }

// CloseIdleConnections closes the idle connections of the network, for http.Client.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.Base.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip sends a request. The request ends when the server is silent for too long.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	w := &watch{cancel: cancel}
	stop := w.start(t.FirstByte)
	res, err := t.Base.RoundTrip(req.WithContext(ctx))
	stop()
	if err != nil {
		err = w.reason(err)
		cancel(nil)
		return nil, err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		res.Body = &refusal{body: body{ReadCloser: res.Body, watch: w}, left: maxRefusal, stop: w.start(refusalTime)}
	} else {
		res.Body = &body{ReadCloser: res.Body, watch: w, first: t.FirstByte, next: t.Silence}
	}
	return res, nil
}

// A watch ends a request when the server is silent for too long.
type watch struct {
	cancel context.CancelCauseFunc
	fired  atomic.Pointer[SilentError]
}

// start begins a wait, which the returned function ends.
func (w *watch) start(limit time.Duration) (stop func()) {
	if limit <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(limit, func() {
		silent := &SilentError{limit}
		w.fired.Store(silent)
		w.cancel(silent)
	})
	return func() { timer.Stop() }
}

// reason returns the SilentError that caused an error, else the error.
func (w *watch) reason(err error) error {
	if silent := w.fired.Load(); silent != nil {
		return silent
	}
	return err
}

// A body is the body of a response. Only the time in which Read waits counts as silence.
type body struct {
	io.ReadCloser
	*watch
	first, next time.Duration
}

// Read waits for the next bytes.
func (b *body) Read(p []byte) (int, error) {
	stop := b.start(b.first)
	n, err := b.ReadCloser.Read(p)
	stop()
	if n > 0 {
		b.first = b.next
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.reason(err)
	}
	return n, err
}

// Close ends the request.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.cancel(nil)
	if err != nil {
		return fmt.Errorf("close the answer: %w", err)
	}
	return nil
}

// A refusal is the body of a response without a 2xx status.
type refusal struct {
	body
	left int // bytes until it is cut off
	stop func()
}

// Read ends at the bounds as if the body were complete.
func (r *refusal) Read(p []byte) (int, error) {
	if r.left <= 0 || r.fired.Load() != nil {
		return 0, io.EOF
	}
	n, err := r.ReadCloser.Read(p[:min(len(p), r.left)])
	r.left -= n
	if err != nil && r.fired.Load() != nil {
		err = io.EOF
	}
	return n, err
}

// Close ends the request.
func (r *refusal) Close() error {
	r.stop()
	return r.body.Close()
}
