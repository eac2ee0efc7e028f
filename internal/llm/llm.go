// Package llm defines the interfaces to language and embedding models and the chain of
// decorators that every call passes: usage and cost, cache, structured answers, budget,
// retries, limits, and finally a provider. It contains no prompts for a task.
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
// the kind of provider and its fixed parameters. It becomes part of the cache key.
type Fingerprinter interface {
	Fingerprint() string
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// A Request is one question to a model. Zero values of its fields are usable: answer as
// text, temperature 0, the server's own token limit.
type Request struct {
	// Task is the purpose of the call (extract, summarise, report, map, answer); usage is
	// counted by task. It does not change the answer.
	Task     string
	Messages []Message
	// Schema asks for JSON that matches it; nil asks for text.
	Schema *Schema
	// JSON asks the provider for any JSON object. The chain sets it for servers
	// that do not support schemas.
	JSON        bool
	MaxTokens   int
	Temperature float64
	LogitBias   map[string]int64
	Seed        *int64
	// Stream, unless nil, is called with the pieces of the answer as they arrive. A
	// cached or structured answer is delivered in one piece.
	Stream func(delta string)
	// Valid, unless nil, returns what is wrong with an answer. After an invalid
	// answer the model is asked once more; an invalid answer is never cached. For a
	// structured request it gets repaired JSON.
	Valid func(text string) error
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
)

// A Response is an answer. For a structured request Text is valid JSON.
type Response struct {
	Text   string
	Finish string
	Usage  Usage
	Cached bool
}

// Usage is what calls consumed. A cached answer consumes nothing.
type Usage struct {
	Calls        int64   `json:"calls"`
	TokensIn     int64   `json:"tokens_in"`
	TokensOut    int64   `json:"tokens_out"`
	CachedTokens int64   `json:"cached_tokens"` // part of TokensIn that the server had cached
	Cost         float64 `json:"cost"`
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
func EstimateTokens(text string) int { return len(text)/3 + 1 }

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

// assumedOutput is the estimated length in tokens of the answer to a request without a
// token limit.
const assumedOutput = 2048

// estimateOutput estimates how many tokens the answer may have.
func (r Request) estimateOutput() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return assumedOutput
}
