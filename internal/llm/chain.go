package llm

import (
	"log/slog"

	"github.com/neorag/neorag/internal/llm/known"
)

// Config configures the chain of a chat model. Only Provider is required. Chains may
// share meters, budgets, caches and limiters.
type Config struct {
	Provider Chat
	Price    Price
	Meter    *Meter
	Cache    *Cache
	Budget   *Budget
	Retry    Retry
	Limiter  *Limiter
	// More are further servers of the same model, to which calls go too. Answers of each, and of
	// Provider, are in the cache for all.
	More []Server[Chat]
	// Known is the record of what is learnt of the server, which its client shares. By
	// default it lasts as long as the chain.
	Known *known.Server
	// Observe, unless nil, is called after each call.
	Observe Observer
	Logger  *slog.Logger // of what is wrong with the context of the model; nil discards it
}

// New builds the chain, from outside in: token limit, observer, usage and cost, cache,
// structured answers, context of the model, retries, budget, choice of the server, limits, provider.
// So each attempt makes its own reservation, a call that waits to retry holds neither a slot nor a reservation, and cached answers
// cost nothing.
func New(c Config) Chat {
	if c.Limiter == nil {
		c.Limiter = NewLimiter(Limits{})
	}
	if c.Meter == nil {
		c.Meter = &Meter{}
	}
	if c.Known == nil {
		c.Known = &known.Server{}
	}
	chat := newSpreadChat(limitedChat{c.Provider, c.Limiter}, c.More)
	if c.Budget != nil {
		chat = budgetedChat{chat, &account{Budget: c.Budget, activity: c.Limiter.activity}, c.Price}
	}
	chat = retriedChat{chat, &retrier{Retry: c.Retry.withDefaults(), activity: c.Limiter.activity}}
	chat = newWindowedChat(chat, c.Provider, c.Logger)
	chat = &structuredChat{inner: chat, server: c.Known}
	chat = &cachedChat{inner: chat, cache: c.Cache, providers: fingerprints(c.Provider, c.More)}
	window, _ := c.Provider.(Windowed)
	chat = meteredChat{chat, c.Meter, c.Price, Parameters(c.Provider), window}
	if c.Observe != nil {
		chat = observedChat{chat, fingerprint(c.Provider), c.Observe}
	}
	return WithMaxTokens(chat, AnswerLimit{Tokens: DefaultMaxTokens})
}

// EmbedConfig configures the chain of an embedding model. Only Provider is required.
type EmbedConfig struct {
	Provider Embedder
	Price    Price
	Meter    *Meter
	Cache    *Cache
	Budget   *Budget
	Retry    Retry
	Limiter  *Limiter
	More     []Server[Embedder] // as in Config
	Batch    Batch
	Known    *known.Server // as in Config
	Observe  Observer      // as in Config, for each batch
	Context  int           // tokens of a text that the model reads: of a longer one, the beginning is sent; 0: all
}

// NewEmbedder builds the chain of an embedding model, in the same order as New.
func NewEmbedder(c EmbedConfig) *BatchEmbedder {
	if c.Limiter == nil {
		c.Limiter = NewLimiter(Limits{})
	}
	if c.Meter == nil {
		c.Meter = &Meter{}
	}
	if c.Known == nil {
		c.Known = &known.Server{}
	}
	embedder := newSpreadEmbedder(limitedEmbedder{c.Provider, c.Limiter}, c.More)
	if c.Budget != nil {
		embedder = budgetedEmbedder{embedder, &account{Budget: c.Budget, activity: c.Limiter.activity}, c.Price}
	}
	retried := retriedEmbedder{embedder, &retrier{Retry: c.Retry.withDefaults(), activity: c.Limiter.activity}}
	return &BatchEmbedder{
		next:  observedEmbedder{retried, fingerprint(c.Provider), c.Price, c.Observe},
		cache: c.Cache, batch: c.Batch.withDefaults(), memory: newBatchMemory(c.Batch.withDefaults(), c.Known), providers: fingerprints(c.Provider, c.More),
		meter: c.Meter, price: c.Price, context: c.Context,
	}
}

// fingerprint returns the fingerprint of a provider, "" if it has none.
func fingerprint(provider any) string {
	if f, ok := provider.(Fingerprinter); ok {
		return f.Fingerprint()
	}
	return ""
}

// fingerprints returns the fingerprints of several servers, the first one first.
func fingerprints[T any](first T, more []Server[T]) []string {
	all := []string{fingerprint(first)}
	for _, m := range more {
		all = append(all, fingerprint(m.Provider))
	}
	return all
}

// inner is the rest of a chain. Embedding a Chat under this name leaves the name of its
// Chat method free.
type inner = Chat
