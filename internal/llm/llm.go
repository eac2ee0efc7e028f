package llm

import (
	"context"
	"encoding/json"
)

// A Chat answers conversations with one model. If it returns an error, the usage in the
// response still counts: a call can cost money and fail.
type Chat interface {
	Chat(ctx context.Context, req Request) (Response, error)
	Model() string
}

// An Embedder turns texts into vectors, one for each text and in the same order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, Usage, error)
	Model() string
	// Dimension returns the length of the vectors, 0 if it is not known yet.
	Dimension() int
}

// A Fingerprinter returns what its answers depend on in addition to model and request:
// the server and its fixed parameters. It becomes part of the cache key.
type Fingerprinter interface {
	Fingerprint() string
}

// A Parameterised model has fixed parameters, such as a temperature, that change its
// answers. Results made from its answers depend on them, wherever the server is.
type Parameterised interface {
	Parameters() string // "" for none
}

// Parameters returns the fixed parameters of a model, "" if it has none.
func Parameters(chat Chat) string {
	if p, ok := chat.(Parameterised); ok {
		return p.Parameters()
	}
	return ""
}

// Identity returns the name of a model, with its fixed parameters if it has any, for
// fingerprints of results made from its answers. It does not name the server, so that
// results stay valid when a model moves.
func Identity(chat Chat) string {
	if p := Parameters(chat); p != "" {
		return chat.Model() + " " + p
	}
	return chat.Model()
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// A Request is one question to a model. Zero values of its fields are usable: answer as
// text, temperature 0, DefaultMaxTokens.
type Request struct {
	// Task is the purpose of the call (extract, summarise, report, map, answer); usage is
	// counted by task. It does not change the answer.
	Task     string
	Messages []Message
	// Schema asks for JSON that matches it; nil asks for text.
	Schema *Schema
	// JSON asks the provider for any JSON object. The chain sets it for servers
	// that do not support schemas.
	JSON bool
	// MaxTokens is the most tokens of the answer, with the reasoning before it.
	MaxTokens int
	// limitSetting is the setting of MaxTokens, if the user chose it.
	limitSetting string
	// MayEndAtLimit accepts text that ends at MaxTokens as a complete answer.
	MayEndAtLimit bool
	// Shorten asks once more, for a shorter answer, if an answer ends at MaxTokens.
	Shorten     bool
	Temperature float64
	LogitBias   map[string]int64
	Seed        *int64
	// Stream, unless nil, is called with the pieces of the answer as they arrive. A
	// cached or structured answer is delivered in one piece.
	Stream func(delta string) `json:"-"`
	// Valid, unless nil, returns what is wrong with an answer. An answer without text is
	// always wrong. After an invalid answer the model is asked once more; an invalid answer
	// is never cached. For a structured request it gets repaired JSON.
	Valid func(text string) error `json:"-"`
}

// A Schema is a named JSON schema.
type Schema struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"schema"`
}

// The reasons why an answer ended.
const (
	FinishStop   = "stop"
	FinishLength = "length"
	// FinishUnknown means that the server gave a reason that does not show that the answer
	// is complete, or none for an answer as long as its limit. Such an answer is not cached.
	FinishUnknown = "unknown"
)

// A Response is an answer. For a structured request Text is valid JSON.
type Response struct {
	Text   string
	Finish string
	// Reasoning is what the model wrote apart from Text: its thoughts, or the arguments of
	// a function. It is not for readers.
	Reasoning string
	Usage     Usage
	// Estimated means that the server did not report the usage, or reported what cannot be
	// true.
	Estimated bool
	Cached    bool
	// Saved is what a cached answer consumed when it was made.
	Saved Usage
}

// Usage is what calls consumed. A cached answer consumes nothing.
type Usage struct {
	Calls        int64   `json:"calls"`
	TokensIn     int64   `json:"tokens_in"`
	TokensOut    int64   `json:"tokens_out"`
	CachedTokens int64   `json:"cached_tokens"` // part of TokensIn that the server had cached
	Cost         float64 `json:"cost"`          // with a budget, what calls count there
}

// Add returns the sum of two usages.
func (u Usage) Add(o Usage) Usage {
	return Usage{
		Calls: u.Calls + o.Calls, TokensIn: u.TokensIn + o.TokensIn, TokensOut: u.TokensOut + o.TokensOut,
		CachedTokens: u.CachedTokens + o.CachedTokens, Cost: u.Cost + o.Cost,
	}
}

// EstimateTokens estimates the tokens of a text by its length. The estimate is high for
// English; reservations are corrected by the actual usage after the call.
func EstimateTokens(text string) int { return len(text)/bytesPerToken + 1 }

const bytesPerToken = 3

// estimateInput estimates the input tokens of a request.
func (r Request) estimateInput() int {
	n := 3
	for _, m := range r.Messages {
		n += EstimateTokens(m.Content) + 4
	}
	if r.Schema != nil {
		n += EstimateTokens(string(r.Schema.JSON))
	}
	return n
}

// DefaultConcurrency is how many calls of a command run concurrently unless its options
// give another number.
const DefaultConcurrency = 16
