package llm

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// Limits bound the calls to a model, and Concurrent those to its server.
type Limits struct {
	Concurrent        int          // calls that run at the same time; 0: 32
	RequestsPerMinute float64      // 0: as the server's headers say, else unlimited
	TokensPerMinute   float64      // 0: as the server's headers say, else unlimited
	Logger            *slog.Logger // logs limits of the server that delay calls; nil: none
	Activity          *Activity    // records what calls wait for; nil: nothing does
	Server            string       // its name in Activity
}

// A Limiter bounds the concurrency and the rates of requests and tokens of the calls to
// one model. If the server refuses calls it lowers the concurrency, then slowly raises
// it again. Models of one server share the concurrency.
type Limiter struct {
	*slots

	requests tokenBucket
	tokens   tokenBucket
	logger   *slog.Logger
	activity serverActivity
}

// slots are the concurrent calls of a server. The mutex guards the buckets of its
// limiters too.
type slots struct {
	mu          sync.Mutex
	concurrency aimd
	running     int
	peak        int
	epoch       int64 // counts refusals that lowered the concurrency
	waiting     []chan struct{}
	paused      time.Time // no call starts before this time
	pausedBy    int       // status of the refusal that asked for it
}

// NewLimiter returns a limiter with the given limits.
func NewLimiter(l Limits) *Limiter {
	s := &slots{concurrency: newAIMD(int(positiveOr(int64(l.Concurrent), 32)))}
	return (&Limiter{slots: s}).ForModel(l)
}

// ForModel returns a limiter with its own rates that shares the concurrency.
func (l *Limiter) ForModel(limits Limits) *Limiter {
	if limits.Logger == nil {
		limits.Logger = slog.New(slog.DiscardHandler)
	}
	return &Limiter{
		slots: l.slots, logger: limits.Logger, activity: serverActivity{limits.Activity, limits.Server},
		requests: newTokenBucket(limits.RequestsPerMinute, minLearnedRequests),
		tokens:   newTokenBucket(limits.TokensPerMinute, minLearnedTokens),
	}
}

// LimiterStats is the state of a limiter.
type LimiterStats struct {
	Running int // calls running now
	Limit   int // calls that may run concurrently now
	Peak    int // most calls that ran concurrently
}

// Stats returns the state of the limiter.
func (l *slots) Stats() LimiterStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LimiterStats{Running: l.running, Limit: l.concurrency.limit, Peak: l.peak}
}

// pausedUntil returns the time before which no call starts, because the server asked to wait.
func (l *slots) pausedUntil() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused
}

// A reservation is a call that was let through, with the tokens reserved for it.
type reservation struct {
	epoch  int64 // of the limiter when the call started
	tokens float64
}

// acquire waits until a call of about that many tokens may start. The caller releases
// the reservation after the call.
func (l *Limiter) acquire(ctx context.Context, tokens int) (reservation, error) {
	if err := l.acquireSlot(ctx); err != nil {
		return reservation{}, err
	}
	for {
		l.mu.Lock()
		delay, reason := l.delay(float64(tokens))
		if delay <= 0 {
			l.requests.take(1)
			l.tokens.take(float64(tokens))
			t := reservation{epoch: l.epoch, tokens: float64(tokens)}
			l.mu.Unlock()
			return t, nil
		}
		l.logDelay(ctx, "requests", &l.requests, 1)
		l.logDelay(ctx, "tokens", &l.tokens, float64(tokens))
		l.mu.Unlock()
		reason.Until = time.Now().Add(delay)
		end := l.activity.wait(reason)
		err := wait.For(ctx, delay)
		end()
		if err != nil {
			l.mu.Lock()
			l.freeSlot()
			l.mu.Unlock()
			return reservation{}, ctx.Err()
		}
	}
}

// delay returns how long a call of that many tokens has to wait, and what delays it the longest.
func (l *Limiter) delay(tokens float64) (time.Duration, Wait) {
	delay, reason := time.Until(l.paused), Wait{Reason: WaitRefused, Status: l.pausedBy}
	if d := l.requests.wait(1); d > delay {
		delay, reason = d, Wait{Reason: WaitRate, Unit: "requests", PerMinute: l.requests.perMinute}
	}
	if d := l.tokens.wait(tokens); d > delay {
		delay, reason = d, Wait{Reason: WaitRate, Unit: "tokens", PerMinute: l.tokens.perMinute}
	}
	return delay, reason
}

// logDelay logs a limit of the server the first time that it delays a call noticeably.
func (l *Limiter) logDelay(ctx context.Context, unit string, b *tokenBucket, n float64) {
	if wait := b.wait(n); wait >= time.Second && !b.fixed && !b.logged {
		b.logged = true
		l.logger.WarnContext(ctx, "the rate limit of the server delays calls", "unit", unit, "per_minute", b.perMinute, "first_wait", wait.Round(time.Second))
	}
}

// acquireSlot waits for one of the concurrent slots, first come, first served.
func (l *slots) acquireSlot(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	if l.running < l.concurrency.limit && len(l.waiting) == 0 {
		l.takeSlot()
		l.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	l.waiting = append(l.waiting, turn)
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range l.waiting {
		if w == turn {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			return ctx.Err()
		}
	}
	l.freeSlot() // the slot came at the same moment: pass it on
	return ctx.Err()
}

func (l *slots) takeSlot() {
	l.running++
	l.peak = max(l.peak, l.running)
}

// freeSlot frees a slot and hands free slots to waiting calls.
func (l *slots) freeSlot() {
	l.running--
	for len(l.waiting) > 0 && l.running < l.concurrency.limit {
		l.takeSlot()
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
	}
}

// release ends a call: it corrects the reserved tokens to those used and adapts the
// concurrency to the outcome.
func (l *Limiter) release(t reservation, used Usage, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.freeSlot()
	spent := float64(used.TokensIn + used.TokensOut)
	l.tokens.take(spent - t.tokens)
	var callErr *Error
	switch {
	case err == nil:
		l.concurrency.onSuccess()
	case !errors.As(err, &callErr) || !callErr.overloaded():
	case t.epoch == l.epoch:
		// Of calls that started in the same epoch only the first refusal counts:
		// the others have the same cause. A call that is asked to wait for longer than
		// maxLearnedWait fails, so the others need not wait.
		if l.concurrency.onRefusal() && callErr.RetryAfter <= maxLearnedWait {
			l.paused, l.pausedBy = later(l.paused, time.Now().Add(callErr.RetryAfter)), callErr.Status
		}
		l.epoch++
	}
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// update adopts the limits in a server's headers.
func (l *Limiter) update(r RateLimits) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests.update(r.RequestsPerMinute, r.RequestsLeft)
	l.tokens.update(r.TokensPerMinute, r.TokensLeft)
}

// limitedChat passes each attempt through the limiter.
type limitedChat struct {
	inner
	limiter *Limiter
}

func (c limitedChat) Chat(ctx context.Context, req Request) (Response, error) {
	// Servers count the limit of the answer, not the answer, for their own limits per minute.
	t, err := c.limiter.acquire(ctx, req.estimateInput()+req.MaxTokens)
	if err != nil {
		return Response{}, err
	}
	var res Response
	defer func() { c.limiter.release(t, res.Usage, err) }()
	defer c.limiter.activity.send()()
	res, err = c.inner.Chat(withRateLimits(ctx, c.limiter.update), req)
	return res, err
}

type limitedEmbedder struct {
	Embedder
	limiter *Limiter
}

func (e limitedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	tokens := 0
	for _, text := range texts {
		tokens += EstimateTokens(text)
	}
	t, err := e.limiter.acquire(ctx, tokens)
	if err != nil {
		return nil, Usage{}, err
	}
	var used Usage
	defer func() { e.limiter.release(t, used, err) }()
	defer e.limiter.activity.send()()
	vectors, used, err := e.Embedder.Embed(withRateLimits(ctx, e.limiter.update), texts)
	return vectors, used, err
}
