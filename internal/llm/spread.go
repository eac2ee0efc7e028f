package llm

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// A Server is one of several servers of the same model.
type Server[T any] struct {
	Provider T
	Limiter  *Limiter
}

const (
	maxServerFailures = 3 // errors of the server itself, one after the other, until it is paused
	firstPause        = 30 * time.Second
	longestPause      = 5 * time.Minute
)

// A spread chooses servers for calls: the server with the smallest share of its slots in use that neither
// failed lately nor asked to wait.
type spread struct {
	mu     sync.Mutex
	routes []*route
	now    func() time.Time
}

// A route is the state of a server.
type route struct {
	limiter  *Limiter
	calls    int // given to the server and not ended
	failures int // one after the other
	pause    time.Duration
	until    time.Time // of the pause
}

func newSpread(limiters ...*Limiter) *spread {
	s := &spread{now: time.Now}
	for _, l := range limiters {
		s.routes = append(s.routes, &route{limiter: l})
	}
	return s
}

// choose returns the index of the server for a call, which ends with ended. If all are paused, it is
// the one whose pause ends first: its error is the error of the call.
func (s *spread) choose() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	best := 0
	for i, r := range s.routes {
		if r.before(s.routes[best], now) {
			best = i
		}
	}
	s.routes[best].calls++
	return best
}

// before reports whether a server should get a call rather than another one.
func (r *route) before(o *route, now time.Time) bool {
	ready, other := later(r.until, r.limiter.pausedUntil()), later(o.until, o.limiter.pausedUntil())
	switch a, b := ready.After(now), other.After(now); {
	case a != b:
		return b
	case a:
		return ready.Before(other)
	}
	return float64(r.calls)/float64(r.limiter.Stats().Limit) < float64(o.calls)/float64(o.limiter.Stats().Limit)
}

// ended records how a call to a server ended, and returns the error for the caller: where another server
// is ready, it need not wait for as long as the server asks.
func (s *spread) ended(ctx context.Context, at int, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, now := s.routes[at], s.now()
	r.calls--
	var callErr *Error
	switch {
	case err == nil:
		r.failures, r.pause = 0, 0
		return nil
	case ctx.Err() != nil || !errors.As(err, &callErr) || !callErr.Retryable:
		return err
	case callErr.Status == 0:
		r.failures = maxServerFailures
	case callErr.Status >= http.StatusInternalServerError && !callErr.overloaded():
		r.failures++
	}
	if r.failures >= maxServerFailures && !r.until.After(now) {
		r.pause = min(max(firstPause, 2*r.pause), longestPause)
		r.until = now.Add(r.pause)
	}
	for i, o := range s.routes {
		if i != at && !later(o.until, o.limiter.pausedUntil()).After(now) {
			elsewhere := *callErr
			elsewhere.RetryAfter = 0
			return &elsewhere
		}
	}
	return err
}

// spreadOver returns the choice among servers, and the providers of these with their limits.
func spreadOver[T any](first Server[T], more []Server[T], limited func(Server[T]) T) (*spread, []T) {
	var limiters []*Limiter
	var providers []T
	for _, s := range append([]Server[T]{first}, more...) {
		limiters, providers = append(limiters, s.Limiter), append(providers, limited(s))
	}
	return newSpread(limiters...), providers
}

// A spreadChat sends each call to one of several servers.
type spreadChat struct {
	inner  // of the first server, for its name
	spread *spread
	chats  []Chat
}

func newSpreadChat(first limitedChat, more []Server[Chat]) Chat {
	if len(more) == 0 {
		return first
	}
	c := spreadChat{inner: first}
	c.spread, c.chats = spreadOver(Server[Chat]{first.inner, first.limiter}, more, func(s Server[Chat]) Chat { return limitedChat{s.Provider, s.Limiter} })
	return c
}

// Chat sends the call to the server that is most free.
func (c spreadChat) Chat(ctx context.Context, req Request) (Response, error) {
	at := c.spread.choose()
	res, err := c.chats[at].Chat(ctx, req)
	return res, c.spread.ended(ctx, at, err)
}

// A spreadEmbedder sends each batch to one of several servers.
type spreadEmbedder struct {
	Embedder // of the first server, for its name

	spread    *spread
	embedders []Embedder
}

func newSpreadEmbedder(first limitedEmbedder, more []Server[Embedder]) Embedder {
	if len(more) == 0 {
		return first
	}
	e := spreadEmbedder{Embedder: first}
	e.spread, e.embedders = spreadOver(Server[Embedder]{first.Embedder, first.limiter}, more, func(s Server[Embedder]) Embedder { return limitedEmbedder{s.Provider, s.Limiter} })
	return e
}

// Embed sends the texts to the server that is most free.
func (e spreadEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	at := e.spread.choose()
	vectors, used, err := e.embedders[at].Embed(ctx, texts)
	return vectors, used, e.spread.ended(ctx, at, err)
}
