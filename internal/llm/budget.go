package llm

import (
	"context"
	"fmt"
	"sync"
)

// A Budget bounds what calls may cost, for any number of chains together. A call reserves
// the most that it is estimated to cost and afterwards releases the unused part, so that
// the budget is not exceeded. A nil Budget in a Config means no bound.
type Budget struct {
	mu       sync.Mutex
	limit    float64
	spent    float64
	reserved float64
	calls    int           // in flight
	settled  chan struct{} // closed when a call settles
}

// NewBudget returns a budget of limit, in the currency of the prices.
func NewBudget(limit float64) *Budget { return &Budget{limit: limit, settled: make(chan struct{})} }

// reserve reserves the cost of a call. If there is not enough left only because of
// calls in flight it waits for them, since they may cost less than they reserved.
func (b *Budget) reserve(ctx context.Context, cost float64) error {
	for {
		b.mu.Lock()
		switch {
		case b.spent+b.reserved+cost <= b.limit:
			b.reserved += cost
			b.calls++
			b.mu.Unlock()
			return nil
		case b.spent+cost > b.limit || b.calls == 0:
			spent := b.spent
			b.mu.Unlock()
			return fmt.Errorf("%w: %.4f of %.4f are spent, and the next call may cost %.4f", ErrBudget, spent, b.limit, cost)
		}
		settled := b.settled
		b.mu.Unlock()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-settled:
		}
	}
}

// settle replaces what a call reserved by what it cost.
func (b *Budget) settle(reserved, cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += cost
	b.calls--
	if b.reserved -= reserved; b.calls == 0 {
		b.reserved = 0 // remove rounding errors
	}
	close(b.settled)
	b.settled = make(chan struct{})
}

// budgetedChat checks the budget. It is inside the cache, since cached answers are free.
type budgetedChat struct {
	inner
	budget *Budget
	price  Price
}

func (c budgetedChat) Chat(ctx context.Context, req Request) (Response, error) {
	reserved := c.price.Cost(Usage{TokensIn: maxTokens(req.estimateInput()), TokensOut: int64(req.estimateOutput())})
	if err := c.budget.reserve(ctx, reserved); err != nil {
		return Response{}, err
	}
	var res Response
	defer func() { c.budget.settle(reserved, c.price.Cost(res.Usage)) }()
	res, err := c.inner.Chat(ctx, req)
	return res, err
}

// maxTokens returns an upper bound for an estimate, for scripts with more tokens per
// byte than English.
func maxTokens(estimate int) int64 { return int64(estimate) * 3 / 2 }

type budgetedEmbedder struct {
	Embedder
	budget *Budget
	price  Price
}

func (e budgetedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, Usage, error) {
	tokens := 0
	for _, t := range texts {
		tokens += EstimateTokens(t)
	}
	reserved := e.price.Cost(Usage{TokensIn: maxTokens(tokens)})
	if err := e.budget.reserve(ctx, reserved); err != nil {
		return nil, Usage{}, err
	}
	var used Usage
	defer func() { e.budget.settle(reserved, e.price.Cost(used)) }()
	vectors, used, err := e.Embedder.Embed(ctx, texts)
	return vectors, used, err
}
