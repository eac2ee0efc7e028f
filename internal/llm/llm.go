// Package llm holds the contracts for talking to models and the chain that
// every call goes through: usage and cost, cache, structured answers, budget,
// retries, limits, and at the end a provider. It knows no prompt.
package llm

import (
	"context"
	"encoding/json"
)

// A Chat answers conversations with one model. Where it returns an error, the
// usage in the response still counts: a call can cost and fail.
type Chat interface {
	Chat(ctx context.Context, req Request) (Response, error)
	Model() string
}

// An Embedder turns texts into vectors, one for each text, in their order.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, Usage, error)
	Model() string
	// Dimension is the length of the vectors, 0 while it is not known.
	Dimension() int
}

// A Fingerprinter names what else its answers depend on besides model and
// request: the kind of provider and its fixed parameters. The cache asks for it.
type Fingerprinter interface {
	Fingerprint() string
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// A Request is one question to a model. Its zero values are usable: text out,
// temperature 0, the server's own limit of tokens.
type Request struct {
	// Task is what the call is for (extract, summarise, report, map, answer):
	// usage is counted by it. It does not change the answer.
	Task     string
	Messages []Message
	// Schema asks for JSON of this form; nil asks for text.
	Schema *Schema
	// JSON asks the provider for any JSON object. The chain sets it where a
	// server knows no schemas.
	JSON        bool
	MaxTokens   int
	Temperature float64
	LogitBias   map[string]int64
	Seed        *int64
	// Stream, unless nil, gets the answer in pieces as it comes. A cached or
	// structured answer is delivered in one piece.
	Stream func(delta string)
	// Valid, unless nil, says what is wrong with an answer. An invalid answer is
	// asked for once more, and never cached. For a structured request it sees
	// repaired JSON.
	Valid func(text string) error
}

// A Schema is a named JSON schema.
type Schema struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"schema"`
}

// The reasons for which an answer ends.
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

// Usage is what calls took. A cached answer takes nothing.
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

// EstimateTokens guesses the tokens of a text by its length. It guesses high
// for English, since reservations are settled by what a call really took.
func EstimateTokens(text string) int { return len(text)/3 + 1 }

// estimateInput guesses the input tokens of a request.
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

// assumedOutput is the length of an answer to a request that sets no limit.
const assumedOutput = 2048

// estimateOutput guesses how many tokens an answer may have.
func (r Request) estimateOutput() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return assumedOutput
}
