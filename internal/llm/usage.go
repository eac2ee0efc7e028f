package llm

import (
	"context"
	"maps"
	"sync"
)

// A Price is the price of a model per million tokens. The zero value means free.
type Price struct {
	In, Out float64
	// CachedIn is the price of input tokens that the server had cached; 0 means In.
	CachedIn float64
}

// Cost returns the price of the usage.
func (p Price) Cost(u Usage) float64 {
	cachedIn := p.CachedIn
	if cachedIn == 0 {
		cachedIn = p.In
	}
	cached := min(u.CachedTokens, u.TokensIn)
	return (float64(u.TokensIn-cached)*p.In + float64(cached)*cachedIn + float64(u.TokensOut)*p.Out) / 1e6
}

// A TaskUsage is what one task consumed. For embedding, a request is one Embed call.
type TaskUsage struct {
	Usage
	Requests int64 // cached or not
	Hits     int64 // answered from the cache
	Failed   int64 // ended in an error
	Saved    Usage // what the answers from the cache consumed when they were made
}

// A Meter counts usage by task, for any number of chains. Its zero value is ready to
// use. It is safe for concurrent use.
type Meter struct {
	mu     sync.Mutex
	totals map[string]TaskUsage
}

// Tasks returns the usage of each task.
func (m *Meter) Tasks() map[string]TaskUsage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.totals)
}

// Total returns the usage of all tasks together.
func (m *Meter) Total() Usage {
	var sum Usage
	for _, t := range m.Tasks() {
		sum = sum.Add(t.Usage)
	}
	return sum
}

// Saved returns what the answers from the cache consumed when they were made, for all tasks
// together. Total does not include it.
func (m *Meter) Saved() Usage {
	var sum Usage
	for _, t := range m.Tasks() {
		sum = sum.Add(t.Saved)
	}
	return sum
}

func (m *Meter) add(task string, u, saved Usage, cached bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.totals == nil {
		m.totals = map[string]TaskUsage{}
	}
	t := m.totals[task]
	t.Usage, t.Saved = t.Add(u), t.Saved.Add(saved)
	t.Requests++
	if cached {
		t.Hits++
	}
	if err != nil {
		t.Failed++
	}
	m.totals[task] = t
}

// meterKey is the key of a context's Meter.
type meterKey struct{}

// WithMeter returns a context whose calls m counts as well, in addition to the meters of
// the chains: it separates concurrent users of the same chains.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// count counts a call by the meter of its chain, and by the meter of its context.
func (m *Meter) count(ctx context.Context, task string, u, saved Usage, cached bool, err error) {
	m.add(task, u, saved, cached, err)
	if own, ok := ctx.Value(meterKey{}).(*Meter); ok {
		own.add(task, u, saved, cached, err)
	}
}

// meteredChat computes the cost of every answer and counts it. It is the outermost
// decorator.
type meteredChat struct {
	inner
	meter      *Meter
	price      Price
	parameters string   // of the provider
	window     Windowed // the provider; nil if it does not know its context
}

// context returns the context of the provider, 0 if it is not known.
func (c meteredChat) context(ctx context.Context) int {
	if c.window == nil {
		return 0
	}
	return c.window.Context(ctx)
}

// Parameters returns the fixed parameters of the provider.
func (c meteredChat) Parameters() string { return c.parameters }

func (c meteredChat) Chat(ctx context.Context, req Request) (Response, error) {
	res, err := c.inner.Chat(ctx, req)
	if res.Saved.Cost = c.price.Cost(res.Saved); res.Usage.Cost == 0 { // a budget has counted it otherwise
		res.Usage.Cost = c.price.Cost(res.Usage)
	}
	c.meter.count(ctx, req.Task, res.Usage, res.Saved, res.Cached, err)
	return res, err
}
