package llm

import (
	"context"
	"sync/atomic"
	"time"
)

// A Call is what an Observer learns of a call to a model: for a chat model a request with
// all its attempts, or its answer from the cache; for an embedding model a batch of texts
// that are not in the cache.
type Call struct {
	Start    time.Time
	Duration time.Duration // with all waits
	Task     string
	Model    string
	Key      string  // hash of everything the answer depends on; for chats that of the cache
	Request  Request // of a chat; zero for embedding
	// Texts are embedded; nil for a chat.
	Texts    []string
	Response Response // for embedding, its usage only
	Attempts int      // requests that were sent or tried, 0 for an answer from the cache
	Err      error
}

// An Observer is called after each call, and must be safe for concurrent use. Calls contain
// what was asked and answered.
type Observer func(context.Context, Call)

// attemptsKey is the key of the counter of attempts in the context of an observed call.
type attemptsKey struct{}

func withAttempts(ctx context.Context) (context.Context, *atomic.Int64) {
	n := &atomic.Int64{}
	return context.WithValue(ctx, attemptsKey{}, n), n
}

// countAttempt counts an attempt of an observed call.
func countAttempt(ctx context.Context) {
	if n, ok := ctx.Value(attemptsKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}

// observedChat reports calls to an observer. It is outside the meter, so that calls have
// their cost.
type observedChat struct {
	inner
	provider string // its fingerprint
	observe  Observer
}

// Parameters returns the fixed parameters of the provider.
func (c observedChat) Parameters() string { return Parameters(c.inner) }

// context returns the context of the provider, 0 if it is not known.
func (c observedChat) context(ctx context.Context) int { return ContextOf(ctx, c.inner) }

func (c observedChat) Chat(ctx context.Context, req Request) (Response, error) {
	counted, attempts := withAttempts(ctx)
	start := time.Now()
	res, err := c.inner.Chat(counted, req)
	took := time.Since(start)
	key, _ := chatKey(c.provider, c.Model(), req) // the chain returned its error
	c.observe(ctx, Call{
		Start: start, Duration: took, Task: req.Task, Model: c.Model(), Key: key,
		Request: req, Response: res, Attempts: int(attempts.Load()), Err: err,
	})
	return res, err
}

// observedEmbedder reports batches to an observer, if there is one.
type observedEmbedder struct {
	retriedEmbedder
	provider string // its fingerprint
	price    Price
	observe  Observer
}

// embed is embed of the retried embedder.
func (e observedEmbedder) embed(ctx context.Context, texts []string, brief bool) ([][]float32, Usage, error) {
	if e.observe == nil {
		return e.retriedEmbedder.embed(ctx, texts, brief)
	}
	counted, attempts := withAttempts(ctx)
	start := time.Now()
	vectors, used, err := e.retriedEmbedder.embed(counted, texts, brief)
	took := time.Since(start)
	priced := used
	priced.Cost = e.price.Cost(used)
	key, _ := batchKey(e.provider, e.Model(), texts) // texts can always be encoded
	e.observe(ctx, Call{
		Start: start, Duration: took, Task: TaskEmbed, Model: e.Model(), Key: key,
		Texts: texts, Response: Response{Usage: priced}, Attempts: int(attempts.Load()), Err: err,
	})
	return vectors, used, err
}
