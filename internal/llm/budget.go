package llm

import (
	"context"
	"fmt"
	"sync"
)

// A Budget bounds what calls may cost, for any number of chains together. Each attempt
// reserves the most that it can cost: a token for every byte of the prompt, and an answer
// as long as its token limit. Afterwards the unused part is released.
//
// What is spent therefore exceeds the budget only if a server ignores token limits. The
// first call of a chain shows that: it runs alone, and if it costs more than it reserved,
// later calls reserve that much more. A nil Budget in a Config means no bound.
type Budget struct {
	mu       sync.Mutex
	limit    float64
	spent    float64
	reserved float64
	calls    int           // in flight
	refused  bool          // a call
	settled  chan struct{} // closed when a call settles
}

// NewBudget returns a budget of limit, in the currency of the prices.
func NewBudget(limit float64) *Budget { return &Budget{limit: limit, settled: make(chan struct{})} }

// Refused reports whether a call was refused because the budget is spent. Nil refuses none.
func (b *Budget) Refused() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused
}

// An account is the part of one chain in a budget. Its fields are guarded by the mutex
// of the budget.
type account struct {
	*Budget
	activity serverActivity
	calls    int     // in flight
	answered bool    // a call was answered
	excess   float64 // the largest ratio of the cost of a call to the most it should cost
}

// A hold is what one call reserved in a budget.
type hold struct {
	most     float64 // that the call should cost
	reserved float64
}

// reserve reserves the most that a call should cost. If there is not enough left only
// because of calls in flight it waits for them, since they may cost less than they
// reserved.
func (a *account) reserve(ctx context.Context, most float64) (hold, error) {
	for {
		a.mu.Lock()
		h := hold{most, most * max(1, a.excess)}
		mayStart := a.calls == 0 || a.answered
		switch {
		case mayStart && a.spent+a.reserved+h.reserved <= a.limit:
			a.reserved += h.reserved
			a.calls++
			a.Budget.calls++
			a.mu.Unlock()
			return h, nil
		case a.spent+h.reserved > a.limit || a.Budget.calls == 0:
			spent := a.spent
			a.refused = true
			a.mu.Unlock()
			return hold{}, fmt.Errorf("%w: %.4f of %.4f are spent, and the next call may cost %.4f", ErrBudget, spent, a.limit, h.reserved)
		}
		settled := a.settled
		a.mu.Unlock()
		end := a.activity.wait(Wait{Reason: WaitBudget})
		select {
		case <-ctx.Done():
		case <-settled:
		}
		end()
		if err := ctx.Err(); err != nil {
			return hold{}, err
		}
	}
}

// settle replaces what a call reserved by what it cost.
func (a *account) settle(h hold, cost float64, answered bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if h.most > 0 {
		a.excess = max(a.excess, cost/h.most)
	}
	a.answered = a.answered || answered
	a.spent += cost
	a.calls--
	a.Budget.calls--
	if a.reserved -= h.reserved; a.Budget.calls == 0 {
		a.reserved = 0 // remove rounding errors
	}
	close(a.settled)
	a.settled = make(chan struct{})
}

// budgetedChat checks the budget. It is inside the cache, since cached answers are free,
// and inside the retries, so that each attempt reserves and counts.
type budgetedChat struct {
	inner
	account *account
	price   Price
}

func (c budgetedChat) Chat(ctx context.Context, req Request) (res Response, err error) {
	held, err := c.account.reserve(ctx, c.price.Cost(Usage{TokensIn: req.maxInput(), TokensOut: int64(req.MaxTokens)}))
	if err != nil {
		return Response{}, err
	}
	defer func() {
		res.distrust(req)
		res.Usage.Cost = c.price.Cost(res.Usage)
		switch {
		case !res.Estimated:
		case err != nil && res.Usage.Calls > 0:
			res.Usage.Cost = held.reserved // the server may charge for an answer that did not arrive
		default:
			res.Usage.Cost *= bytesPerToken // the answer may have a token for each byte
		}
		c.account.settle(held, res.Usage.Cost, err == nil)
	}()
	return c.inner.Chat(ctx, req)
}

// distrust estimates the usage of a call if what the server reports is far too low for the texts.
func (r *Response) distrust(req Request) {
	if r.Usage.Calls == 0 || r.Estimated {
		return
	}
	var in int64
	for _, m := range req.Messages {
		in += fewestTokens(m.Content)
	}
	if r.Usage.TokensIn >= in && r.Usage.TokensOut >= fewestTokens(r.Text) {
		return
	}
	r.Estimated = true
	r.Usage.CachedTokens = 0
	r.Usage.TokensIn = max(r.Usage.TokensIn, int64(req.estimateInput()))
	r.Usage.TokensOut = max(r.Usage.TokensOut, int64(EstimateTokens(r.Text+r.Reasoning)))
}

// fewestTokens returns a number of tokens below that which any tokenizer makes of a text. Texts
// have 3 to 6 bytes a token on average, and up to 10 in scripts of 3 bytes a character. Runs of
// the same byte, such as spaces, may be one token and count as one byte.
func fewestTokens(text string) int64 {
	const mostBytes = 16
	n := int64(0)
	for i := range len(text) {
		if i == 0 || text[i] != text[i-1] {
			n++
		}
	}
	return n / mostBytes
}

// Servers add tokens to a request: around each message, and a system prompt of the model.
const (
	maxAddedTokens   = 128
	maxMessageTokens = 16
)

// maxInput returns an upper bound of the input tokens of a request: tokenizers make at
// most one token of a byte.
func (r Request) maxInput() int64 {
	n := maxAddedTokens
	for _, m := range r.Messages {
		n += len(m.Content) + maxMessageTokens
	}
	if r.Schema != nil {
		n += len(r.Schema.Name) + len(r.Schema.JSON)
	}
	return int64(n)
}

type budgetedEmbedder struct {
	Embedder
	account *account
	price   Price
}

func (e budgetedEmbedder) Embed(ctx context.Context, texts []string) (vectors [][]float32, used Usage, err error) {
	const added = 8 // tokens that servers add to a text
	most := 0
	for _, t := range texts {
		most += len(t) + added
	}
	held, err := e.account.reserve(ctx, e.price.Cost(Usage{TokensIn: int64(most)}))
	if err != nil {
		return nil, Usage{}, err
	}
	defer func() {
		var fewest int64
		for _, t := range texts {
			fewest += fewestTokens(t)
		}
		switch {
		case used.Calls == 0: // nothing was sent
		case err != nil && used.TokensIn == 0:
			used.Cost = held.reserved // the server may charge for vectors that did not arrive
		case used.TokensIn == 0 || used.TokensIn < fewest:
			used.TokensIn, used.CachedTokens = max(used.TokensIn, estimateTexts(texts)), 0
			used.Cost = e.price.Cost(used) * bytesPerToken // a text may have a token for each byte
		default:
			used.Cost = e.price.Cost(used)
		}
		e.account.settle(held, used.Cost, err == nil)
	}()
	return e.Embedder.Embed(ctx, texts)
}

// estimateTexts estimates the tokens of texts to embed.
func estimateTexts(texts []string) int64 {
	n := 0
	for _, t := range texts {
		n += EstimateTokens(t)
	}
	return int64(n)
}
