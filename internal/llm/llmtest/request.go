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
	Refused bool      // for want of places
	Path    string
	Header  http.Header
	Body    json.RawMessage

	Model       string
	Messages    []Message
	Format      string // json_schema, json_object or empty
	SchemaName  string
	Schema      json.RawMessage
	MaxTokens   int // also of max_completion_tokens
	Temperature float64
	Seed        *int64
	LogitBias   map[string]int64
	Stream      bool
	StreamUsage bool

	Input      []string // of embeddings
	Encoding   string
	Dimensions int
}

// Embeds reports that the request asks for vectors.
func (r Request) Embeds() bool { return strings.HasSuffix(r.Path, "/embeddings") }

// Last is the content of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// has reports that the body holds a field.
func (r Request) has(name string) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Body, &fields) != nil {
		return false
	}
	_, ok := fields[name]
	return ok
}

// wire is the body of either kind of request.
type wire struct {
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
	var w wire
	if err := json.Unmarshal(body, &w); err != nil || w.Model == "" {
		return Request{}, errShape
	}
	req := Request{
		Path: r.URL.Path, Header: r.Header.Clone(), Body: body,
		Model: w.Model, Messages: w.Messages, SchemaName: w.ResponseFormat.JSONSchema.Name,
		Schema: w.ResponseFormat.JSONSchema.Schema, MaxTokens: max(w.MaxTokens, w.MaxCompletion),
		Temperature: w.Temperature, Seed: w.Seed, LogitBias: w.LogitBias, Stream: w.Stream, StreamUsage: w.StreamOptions.IncludeUsage,
		Encoding: w.EncodingFormat, Dimensions: w.Dimensions,
	}
	if w.ResponseFormat.Type != "text" {
		req.Format = w.ResponseFormat.Type
	}
	if len(w.Input) > 0 && json.Unmarshal(w.Input, &req.Input) != nil {
		var one string
		if json.Unmarshal(w.Input, &one) != nil {
			return Request{}, errShape
		}
		req.Input = []string{one}
	}
	return req, nil
}
