package llm

// Config is a chat model with all that its calls go through. Only Provider is
// needed. Chains share meters, budgets, caches and gates by pointing to them.
type Config struct {
	Provider Chat
	Price    Price
	Meter    *Meter
	Cache    *Cache
	Budget   *Budget
	Retry    Retry
	Limiter  *Limiter
}

// New builds the chain, from outside in: usage and cost, cache, structured
// answers, budget, retries, limits, provider. So each attempt reserves anew,
// waiting to retry holds no place, and what the cache knows costs nothing.
func New(c Config) Chat {
	if c.Limiter == nil {
		c.Limiter = NewLimiter(Limits{})
	}
	if c.Meter == nil {
		c.Meter = &Meter{}
	}
	var chat Chat = retriedChat{limitedChat{c.Provider, c.Limiter}, &retrier{Retry: c.Retry.withDefaults()}}
	if c.Budget != nil {
		chat = budgetedChat{chat, c.Budget, c.Price}
	}
	chat = &structuredChat{inner: chat}
	chat = &cachedChat{inner: chat, cache: c.Cache, provider: fingerprint(c.Provider)}
	return meteredChat{chat, c.Meter, c.Price}
}

// EmbedConfig is an embedding model with all that its calls go through. Only
// Provider is needed.
type EmbedConfig struct {
	Provider Embedder
	Price    Price
	Meter    *Meter
	Cache    *Cache
	Budget   *Budget
	Retry    Retry
	Limiter  *Limiter
	Batch    Batch
}

// NewEmbedder builds the chain for embedding, in the order of New.
func NewEmbedder(c EmbedConfig) *BatchEmbedder {
	if c.Limiter == nil {
		c.Limiter = NewLimiter(Limits{})
	}
	if c.Meter == nil {
		c.Meter = &Meter{}
	}
	var embedder Embedder = retriedEmbedder{limitedEmbedder{c.Provider, c.Limiter}, &retrier{Retry: c.Retry.withDefaults()}}
	if c.Budget != nil {
		embedder = budgetedEmbedder{embedder, c.Budget, c.Price}
	}
	return &BatchEmbedder{
		next: embedder, cache: c.Cache, batch: c.Batch.withDefaults(), provider: fingerprint(c.Provider),
		meter: c.Meter, price: c.Price,
	}
}

func fingerprint(provider any) string {
	if f, ok := provider.(Fingerprinter); ok {
		return f.Fingerprint()
	}
	return ""
}

// inner is the rest of a chain: a Chat under a name that leaves its method free.
type inner = Chat
