package llm

import (
	"context"
	"fmt"
	"sync"
)

// A Budget is money that calls may cost, for any number of chains together. A
// call reserves the most it can cost, as far as that can be told, and gives back
// what it did not need; so the budget is not passed. Nil is no budget.
type Budget struct {
	mu      sync.Mutex
	limit    float64
	spent   float64
	reserved    float64
	calls   int           // under way
	settled chan struct{} // closed when a call settles
}

// NewBudget allows so much.
func NewBudget(most float64) *Budget { return &Budget{limit: most, settled: make(chan struct{})} }

// Spent is what calls have cost so far.
func (b *Budget) Spent() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// reserve holds the cost of a call. Where only calls under way stand in its way
// it waits for them, since they may need less than they hold.
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

func (b *Budget) settle(held, cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += cost
	b.calls--
	if b.reserved -= held; b.calls == 0 {
		b.reserved = 0 // no rounding stays behind
	}
	close(b.settled)
	b.settled = make(chan struct{})
}

// budgetedChat stands within the cache: what is answered from there is free.
type budgetedChat struct {
	inner
	budget *Budget
	price  Price
}

func (c budgetedChat) Chat(ctx context.Context, req Request) (Response, error) {
	held := c.price.Cost(Usage{TokensIn: maxTokens(req.estimateInput()), TokensOut: int64(req.estimateOutput())})
	if err := c.budget.reserve(ctx, held); err != nil {
		return Response{}, err
	}
	var res Response
	defer func() { c.budget.settle(held, c.price.Cost(res.Usage)) }()
	res, err := c.inner.Chat(ctx, req)
	return res, err
}

// maxTokens is what an estimate may come to in scripts with more tokens to a
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
	held := e.price.Cost(Usage{TokensIn: maxTokens(tokens)})
	if err := e.budget.reserve(ctx, held); err != nil {
		return nil, Usage{}, err
	}
	var used Usage
	defer func() { e.budget.settle(held, e.price.Cost(used)) }()
	vectors, used, err := e.Embedder.Embed(ctx, texts)
	return vectors, used, err
}
