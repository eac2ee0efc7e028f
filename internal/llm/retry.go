package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// Retry says how often and how long a failed call is tried again. Its zero
// value stands for the defaults.
type Retry struct {
	Attempts  int           // calls in all, default 8
	FirstWait time.Duration // wait after the first failure, doubled each time; default 500 ms
	MaxWait   time.Duration // longest wait of our own choosing, default 30 s
	// Patience is the longest wait that a server may ask for, default 2 minutes.
	// One that asks for more has the call fail at once.
	MaxRetryAfter time.Duration
}

func (r Retry) withDefaults() Retry {
	r.Attempts = positiveOr(r.Attempts, 8)
	r.FirstWait = positiveOr(r.FirstWait, 500*time.Millisecond)
	r.MaxWait = positiveOr(r.MaxWait, 30*time.Second)
	r.MaxRetryAfter = positiveOr(r.MaxRetryAfter, 2*time.Minute)
	return r
}

func positiveOr[T int | int64 | float64 | time.Duration](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// maxUnanswered is how often a server is tried that has not answered yet: there is
// likely none at that address, and whoever waits wants to know.
const maxUnanswered = 3

// A retrier tries calls to one server.
type retrier struct {
	Retry
	answered atomic.Bool
}

// do calls f until it succeeds, fails for good, or was tried often enough. The
// waits hold nothing, and end with the context.
func (r *retrier) do(ctx context.Context, f func() error) error {
	for attempt := 1; ; attempt++ {
		err := f()
		var refused *Error
		isRefusal := errors.As(err, &refused)
		if err == nil || isRefusal && refused.Status > 0 {
			r.answered.Store(true)
		}
		if err == nil || !isRefusal || !refused.Retryable || ctx.Err() != nil {
			return err
		}
		if attempt >= r.Attempts || attempt >= maxUnanswered && !r.answered.Load() {
			return fmt.Errorf("gave up after %d attempts: %w", attempt, err)
		}
		if refused.RetryAfter > r.MaxRetryAfter {
			return fmt.Errorf("the server asks to wait %v, run again then: %w", refused.RetryAfter.Round(time.Second), err)
		}
		if waitErr := sleep(ctx, r.wait(attempt, refused.RetryAfter)); waitErr != nil {
			return fmt.Errorf("%w while waiting to try again after: %w", waitErr, err)
		}
	}
}

// wait is at least what the server asks for, and spread so that callers who
// were refused together do not come back together.
func (r Retry) wait(attempt int, asked time.Duration) time.Duration {
	own := r.MaxWait
	if attempt < 20 {
		own = min(own, r.FirstWait<<(attempt-1))
	}
	if asked > 0 {
		return asked + time.Duration(rand.Float64()*float64(min(own, asked/4)))
	}
	return own/2 + time.Duration(rand.Float64()*float64(own/2))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// retriedChat tries again where it may help. Once a piece of a streamed answer
// is delivered it no longer does: the pieces of two answers would mix.
type retriedChat struct {
	inner
	retry *retrier
}

func (c retriedChat) Chat(ctx context.Context, req Request) (Response, error) {
	var res Response
	var spent Usage
	delivered := false
	if stream := req.Stream; stream != nil {
		req.Stream = func(delta string) { delivered = true; stream(delta) }
	}
	err := c.retry.do(ctx, func() error {
		var err error
		res, err = c.inner.Chat(ctx, req)
		spent = spent.Add(res.Usage)
		var refused *Error
		if delivered && errors.As(err, &refused) && refused.Retryable {
			final := *refused
			final.Retryable = false
			return &final
		}
		return err
	})
	res.Usage = spent
	return res, err
}

type retriedEmbedder struct {
	Embedder
	retry *retrier
}

func (e retriedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	var vectors [][]float32
	var spent Usage
	err := e.retry.do(ctx, func() error {
		v, u, err := e.Embedder.Embed(ctx, texts)
		vectors, spent = v, spent.Add(u)
		return err
	})
	return vectors, spent, err
}
