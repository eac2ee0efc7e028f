package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// Retry configures how failed calls are retried, with exponential backoff. The zero
// value means the defaults.
type Retry struct {
	Attempts  int           // calls in total, default 8
	FirstWait time.Duration // wait after the first failure, doubled each time; default 500 ms
	MaxWait   time.Duration // longest wait that the server did not ask for, default 30 s
	// MaxRetryAfter is the longest wait that a server may ask for, default 2 minutes.
	// If it asks for more the call fails immediately.
	MaxRetryAfter time.Duration
}

func (r Retry) withDefaults() Retry {
	r.Attempts = positiveOr(r.Attempts, 8)
	r.FirstWait = positiveOr(r.FirstWait, 500*time.Millisecond)
	r.MaxWait = positiveOr(r.MaxWait, 30*time.Second)
	r.MaxRetryAfter = positiveOr(r.MaxRetryAfter, 2*time.Minute)
	return r
}

// positiveOr returns v if it is positive, else the fallback.
func positiveOr[T int | int64 | float64 | time.Duration](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// maxUnanswered is how often a server is tried that has never answered: there is likely
// none at that address, and the user should know soon.
const maxUnanswered = 3

// maxTimeouts is how many attempts of a call may end by a timeout: each costs minutes.
const maxTimeouts = 3

// maxBriefFailures is how often a call is tried that fails inside the server, if the caller finds
// out then whether the content of the call is the cause.
const maxBriefFailures = 3

// A retrier retries calls to one server.
type retrier struct {
	Retry
	activity serverActivity
	answered atomic.Bool
}

// do calls f until it succeeds, fails with an error that is not retryable, or was tried
// often enough. Waits hold no slot and end with the context.
func (r *retrier) do(ctx context.Context, f func() error) error {
	return r.doUpTo(ctx, r.Attempts, f)
}

// doUpTo is do, but gives up after maxFailures errors of the server itself.
func (r *retrier) doUpTo(ctx context.Context, maxFailures int, f func() error) error {
	timeouts, failures := 0, 0
	for attempt := 1; ; attempt++ {
		countAttempt(ctx)
		err := f()
		if errors.Is(err, context.DeadlineExceeded) {
			timeouts++
		}
		var callErr *Error
		isCallErr := errors.As(err, &callErr)
		if err == nil || isCallErr && callErr.Status > 0 {
			r.answered.Store(true)
		}
		if err == nil || !isCallErr || !callErr.Retryable || ctx.Err() != nil {
			return err
		}
		if callErr.Status >= http.StatusInternalServerError && !callErr.overloaded() {
			failures++
		}
		if attempt >= r.Attempts || failures >= maxFailures || timeouts >= maxTimeouts || attempt >= maxUnanswered && !r.answered.Load() {
			return fmt.Errorf("gave up after %d attempts: %w", attempt, err)
		}
		if callErr.RetryAfter > r.MaxRetryAfter {
			return fmt.Errorf("the server asks to wait %s; run again after that: %w", waitText(callErr.RetryAfter), err)
		}
		delay := r.wait(attempt, callErr.RetryAfter)
		end := r.activity.wait(Wait{Reason: WaitRefused, Status: callErr.Status, Until: time.Now().Add(delay)})
		waitErr := wait.For(ctx, delay)
		end()
		if waitErr != nil {
			return fmt.Errorf("%w while waiting to try again after: %w", ctx.Err(), err)
		}
	}
}

// waitText returns a wait for people. Servers that mean never name a date in some other age.
func waitText(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day {
		return "a day or longer"
	}
	return d.Round(time.Second).String()
}

// wait returns how long to wait after an attempt, counted from 1: at least what the
// server asks for, with jitter, so that calls that were refused together are not
// retried together.
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

// retriedChat retries calls. It does not once a piece of a streamed answer is
// delivered, because the pieces of two answers would mix, nor after an error about the
// format, which would come again.
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
		var callErr *Error
		if errors.As(err, &callErr) && callErr.Retryable && (delivered || refusesFormat(req, callErr)) {
			final := *callErr
			final.Retryable = false
			return &final
		}
		return err
	})
	res.Usage = spent
	return res, err
}

// A retriedEmbedder retries calls made with embed; Embed is one attempt.
type retriedEmbedder struct {
	Embedder
	retry *retrier
}

// embed requests vectors, and gives up early if the server fails and brief is set.
func (e retriedEmbedder) embed(ctx context.Context, texts []string, brief bool) ([][]float32, Usage, error) {
	var vectors [][]float32
	var spent Usage
	maxFailures := e.retry.Attempts
	if brief {
		maxFailures = min(maxFailures, maxBriefFailures)
	}
	err := e.retry.doUpTo(ctx, maxFailures, func() error {
		v, u, err := e.Embed(ctx, texts)
		vectors, spent = v, spent.Add(u)
		return err
	})
	return vectors, spent, err
}
