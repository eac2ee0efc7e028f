package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A responseFormat is a way of asking for JSON, the surest first.
type responseFormat int

const (
	formatJSONSchema responseFormat = iota // response_format json_schema
	formatJSONObject             // response_format json_object, the schema in the prompt
	formatPromptOnly             // the prompt alone
	formatCount
)

// structuredChat gets valid answers: it climbs down from what a server refuses,
// repairs JSON, and asks once more, quoting the error, where an answer cannot be
// used. What a server refuses is remembered for the life of the process.
type structuredChat struct {
	inner
	mu      sync.Mutex
	strictest  responseFormat        // the surest way not known to be refused
	accepted [formatCount]bool // ways known to work
}

func (c *structuredChat) Chat(ctx context.Context, req Request) (Response, error) {
	if req.Schema == nil {
		return c.chatText(ctx, req)
	}
	deliver := req.Stream
	req.Stream = nil
	res, way, err := c.tryFormats(ctx, req)
	if err == nil {
		res, err = c.ensureValid(ctx, req, res, way)
	}
	if err == nil && deliver != nil {
		deliver(res.Text)
	}
	return res, err
}

// chatText asks for text; where that is invalid once more, unless it was delivered.
func (c *structuredChat) chatText(ctx context.Context, req Request) (Response, error) {
	res, err := c.inner.Chat(ctx, req)
	if err != nil || req.Valid == nil {
		return res, err
	}
	reason := req.Valid(res.Text)
	if reason == nil {
		return res, nil
	}
	if req.Stream != nil {
		return res, &AnswerError{Kind: ErrInvalid, Reason: reason, Text: res.Text}
	}
	again, err := c.inner.Chat(ctx, retryRequest(req, res.Text, reason, "the whole answer"))
	again.Usage = again.Usage.Add(res.Usage)
	if err != nil {
		return again, err
	}
	if reason = req.Valid(again.Text); reason != nil {
		return again, &AnswerError{Kind: ErrInvalid, Reason: reason, Text: again.Text}
	}
	return again, nil
}

// tryFormats asks in the surest way that the server takes.
func (c *structuredChat) tryFormats(ctx context.Context, req Request) (Response, responseFormat, error) {
	c.mu.Lock()
	start, known := c.strictest, c.accepted
	c.mu.Unlock()
	var first error
	var spent Usage
	for way := start; ; way++ {
		res, err := c.inner.Chat(ctx, withFormat(req, way))
		spent = spent.Add(res.Usage)
		res.Usage = spent
		if err == nil {
			c.remember(way)
			return res, way, nil
		}
		if first == nil {
			first = err
		}
		if way == formatPromptOnly || known[way] && !mentionsFormat(err) || !isRefusal(err) {
			if isRefusal(err) {
				err = first // the request itself is refused, whatever the format
			}
			return res, way, err
		}
	}
}

func (c *structuredChat) remember(way responseFormat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accepted[way] = true
	if !slices.Contains(c.accepted[:way], true) {
		c.strictest = max(c.strictest, way)
	}
}

// isRefusal reports that a server does not take a request as it is.
func isRefusal(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Retryable {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	case http.StatusNotFound: // of routers without a server that takes the format
		return mentionsFormat(err)
	}
	return false
}

// mentionsFormat reports that a refusal speaks of the format of the answer.
func mentionsFormat(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	text := strings.ToLower(e.ServerMessage)
	for _, word := range []string{"response_format", "json_schema", "json_object", "schema", "structured", "grammar", "guided", "parameters"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// ensureValid makes an answer valid JSON, at the price of one more question at most.
func (c *structuredChat) ensureValid(ctx context.Context, req Request, res Response, way responseFormat) (Response, error) {
	text, reason := validJSON(req, res.Text)
	if reason == nil {
		res.Text = text
		return res, nil
	}
	again, err := c.inner.Chat(ctx, retryRequest(withSchemaText(req, way), res.Text, reason, "the whole JSON object and nothing else"))
	again.Usage = again.Usage.Add(res.Usage)
	if err != nil {
		return again, err
	}
	if text, reason = validJSON(req, again.Text); reason != nil {
		return again, &AnswerError{Kind: ErrInvalid, Reason: reason, Text: again.Text}
	}
	again.Text = text
	return again, nil
}

// validJSON gives the JSON of an answer, or what is wrong with it.
func validJSON(req Request, answer string) (string, error) {
	text, err := Repair(answer)
	if err != nil {
		return "", err
	}
	if err := checkOutline(req.Schema, text); err != nil {
		return "", err
	}
	if req.Valid != nil {
		return text, req.Valid(text)
	}
	return text, nil
}

// checkOutline checks the outermost form alone: an object where one is asked for, with
// the fields that the schema requires. More fields do no harm.
func checkOutline(schema *Schema, text string) error {
	var outline struct {
		Type     any      `json:"type"`
		Required []string `json:"required"`
	}
	_ = json.Unmarshal(schema.JSON, &outline) // a schema that asks for nothing we check is the server's to judge
	if outline.Type != "object" {
		return nil
	}
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &fields) != nil {
		return errors.New("a JSON object is asked for, and this is an array")
	}
	for _, name := range outline.Required {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("the field %q is missing", name)
		}
	}
	return nil
}

// withFormat is the request in one of the ways: below json_schema the schema goes
// into the last message, where every server reads it.
func withFormat(req Request, way responseFormat) Request {
	if way == formatJSONSchema {
		return req
	}
	req.Messages = slices.Clone(req.Messages)
	const order = "\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n"
	if n := len(req.Messages); n > 0 {
		req.Messages[n-1].Content += order + compactJSON(req.Schema.JSON)
	}
	req.JSON, req.Schema = way == formatJSONObject, nil
	return req
}

// withSchemaText is the request with the schema in words too: a server that took
// json_schema and sent something else has not read it.
func withSchemaText(req Request, way responseFormat) Request {
	words := withFormat(req, max(way, formatJSONObject))
	if way == formatJSONSchema {
		words.JSON, words.Schema = false, req.Schema
	}
	return words
}

func compactJSON(schema json.RawMessage) string {
	b, err := json.Marshal(schema)
	if err != nil {
		return string(schema)
	}
	return string(b)
}

const (
	maxQuotedError  = 500  // bytes of the error that are quoted
	maxQuotedAnswer = 8000 // bytes of the answer that are quoted
)

// retryRequest is the conversation with the bad answer and what is wrong with it.
func retryRequest(req Request, answer string, reason error, want string) Request {
	complaint := "That answer could not be used: " + cut(reason.Error(), maxQuotedError) +
		"\nAnswer the question again. Give " + want + "."
	if strings.TrimSpace(answer) == "" {
		answer = "(no text)"
	}
	req.Messages = append(slices.Clone(req.Messages),
		Message{Role: "assistant", Content: cut(answer, maxQuotedAnswer)},
		Message{Role: "user", Content: complaint})
	return req
}

// cut shortens a text at a whole character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " ..."
}
