package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A Request is what a client sent.
type Request struct {
	N       int       // number of the request, from 1
	At      time.Time // when it came
	Refused bool      // because of Options.MaxConcurrent
	Path    string
	Header  http.Header
	Body    json.RawMessage

	Model       string
	Messages    []Message
	Format      string // json_schema, json_object or empty
	SchemaName  string
	Schema      json.RawMessage
	MaxTokens   int // or max_completion_tokens
	Temperature float64
	Seed        *int64
	LogitBias   map[string]int64
	Stream      bool
	StreamUsage bool

	Input      []string // of embeddings
	Encoding   string
	Dimensions int
}

// Embeds reports whether the request asks for vectors.
func (r Request) Embeds() bool { return strings.HasSuffix(r.Path, "/embeddings") }

// Last returns the content of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// has reports whether the body has a field.
func (r Request) has(name string) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Body, &fields) != nil {
		return false
	}
	_, ok := fields[name]
	return ok
}

// requestBody is the body of either kind of request.
type requestBody struct {
	Model          string    `json:"model"`
	Messages       []Message `json:"messages"`
	ResponseFormat struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens     int              `json:"max_tokens"`
	MaxCompletion int              `json:"max_completion_tokens"`
	Temperature   float64          `json:"temperature"`
	Seed          *int64           `json:"seed"`
	LogitBias     map[string]int64 `json:"logit_bias"`
	Stream        bool             `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Input          json.RawMessage `json:"input"`
	EncodingFormat string          `json:"encoding_format"`
	Dimensions     int             `json:"dimensions"`
}

func parse(r *http.Request, body []byte) (Request, error) {
	var b requestBody
	if err := json.Unmarshal(body, &b); err != nil || b.Model == "" {
		return Request{}, errShape
	}
	req := Request{
		Path: r.URL.Path, Header: r.Header.Clone(), Body: body,
		Model: b.Model, Messages: b.Messages, SchemaName: b.ResponseFormat.JSONSchema.Name,
		Schema: b.ResponseFormat.JSONSchema.Schema, MaxTokens: max(b.MaxTokens, b.MaxCompletion),
		Temperature: b.Temperature, Seed: b.Seed, LogitBias: b.LogitBias, Stream: b.Stream, StreamUsage: b.StreamOptions.IncludeUsage,
		Encoding: b.EncodingFormat, Dimensions: b.Dimensions,
	}
	if b.ResponseFormat.Type != "text" {
		req.Format = b.ResponseFormat.Type
	}
	if len(b.Input) > 0 && json.Unmarshal(b.Input, &req.Input) != nil {
		var one string
		if json.Unmarshal(b.Input, &one) != nil {
			return Request{}, errShape
		}
		req.Input = []string{one}
	}
	return req, nil
}
