package llm

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Limits bound the calls to one server. Zero values mean: 32 calls at once, and
// per minute as many as the server's headers allow, if it says so.
type Limits struct {
	Concurrent        int
	RequestsPerMinute float64
	TokensPerMinute   float64
}

// A Limiter lets calls through to one server: at most so many at once, and so many
// requests and tokens a minute. When the server refuses calls, fewer go at once,
// then slowly more again. Chains that talk to the same server share a gate.
type Limiter struct {
	mu       sync.Mutex
	concurrency     aimd
	running  int
	peak     int
	epoch    int64 // grows with every fall of the pace
	waiting  []chan struct{}
	paused   time.Time // no call starts before
	requests tokenBucket
	tokens   tokenBucket
}

// NewLimiter makes a gate with the given limits.
func NewLimiter(l Limits) *Limiter {
	return &Limiter{
		concurrency:     newAIMD(int(positiveOr(int64(l.Concurrent), 32))),
		requests: newTokenBucket(l.RequestsPerMinute), tokens: newTokenBucket(l.TokensPerMinute),
	}
}

// LimiterStats is how a gate stands.
type LimiterStats struct {
	Running int // calls now
	Limit   int // calls that may run at once now
	Peak    int // most calls that ran at once
}

// Stats tells how the gate stands.
func (g *Limiter) Stats() LimiterStats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return LimiterStats{Running: g.running, Limit: g.concurrency.limit, Peak: g.peak}
}

// A reservation is a call that was let through.
type reservation struct {
	epoch    int64
	tokens float64
}

// acquire waits until a call of about so many tokens may go.
func (g *Limiter) acquire(ctx context.Context, tokens int) (reservation, error) {
	if err := g.acquireSlot(ctx); err != nil {
		return reservation{}, err
	}
	for {
		g.mu.Lock()
		wait := max(time.Until(g.paused), g.requests.wait(1), g.tokens.wait(float64(tokens)))
		if wait <= 0 {
			g.requests.take(1)
			g.tokens.take(float64(tokens))
			t := reservation{epoch: g.epoch, tokens: float64(tokens)}
			g.mu.Unlock()
			return t, nil
		}
		g.mu.Unlock()
		if err := sleep(ctx, wait); err != nil {
			g.mu.Lock()
			g.freeSlot()
			g.mu.Unlock()
			return reservation{}, err
		}
	}
}

// acquireSlot waits for one of the places, in order of arrival.
func (g *Limiter) acquireSlot(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	if g.running < g.concurrency.limit && len(g.waiting) == 0 {
		g.takeSlot()
		g.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	g.waiting = append(g.waiting, turn)
	g.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, w := range g.waiting {
		if w == turn {
			g.waiting = append(g.waiting[:i], g.waiting[i+1:]...)
			return ctx.Err()
		}
	}
	g.freeSlot() // the turn came at the same moment: pass it on
	return ctx.Err()
}

func (g *Limiter) takeSlot() {
	g.running++
	g.peak = max(g.peak, g.running)
}

// freeSlot frees a place and gives what is free to those who wait.
func (g *Limiter) freeSlot() {
	g.running--
	for len(g.waiting) > 0 && g.running < g.concurrency.limit {
		g.takeSlot()
		close(g.waiting[0])
		g.waiting = g.waiting[1:]
	}
}

// release ends a call: settles its tokens and draws the lesson for the pace.
func (g *Limiter) release(t reservation, used Usage, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer g.freeSlot()
	spent := float64(used.TokensIn + used.TokensOut)
	g.tokens.take(spent - t.tokens)
	var refused *Error
	switch {
	case err == nil:
		g.concurrency.onSuccess()
	case !errors.As(err, &refused) || !refused.overloaded():
	case t.epoch == g.epoch:
		// Only the first refusal of calls that went together counts: the others
		// tell of the same crowd.
		if g.concurrency.onRefusal() {
			g.paused = later(g.paused, time.Now().Add(refused.RetryAfter))
		}
		g.epoch++
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// update takes over what the server's headers say.
func (g *Limiter) update(l RateLimits) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests.update(l.RequestsPerMinute, l.RequestsLeft)
	g.tokens.update(l.TokensPerMinute, l.TokensLeft)
}

// limitedChat lets each attempt through the gate.
type limitedChat struct {
	inner
	limiter *Limiter
}

func (c limitedChat) Chat(ctx context.Context, req Request) (Response, error) {
	t, err := c.limiter.acquire(ctx, req.estimateInput()+req.estimateOutput())
	if err != nil {
		return Response{}, err
	}
	var res Response
	defer func() { c.limiter.release(t, res.Usage, err) }()
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
	vectors, used, err := e.Embedder.Embed(withRateLimits(ctx, e.limiter.update), texts)
	return vectors, used, err
}
