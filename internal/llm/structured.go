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

	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/text"
)

// A responseFormat is a way of asking a server for JSON. The strictest comes first.
type responseFormat int

const (
	formatJSONSchema responseFormat = iota // response_format json_schema
	formatJSONObject                       // response_format json_object, with the schema in the prompt
	formatPromptOnly                       // the schema in the prompt only
	formatCount
)

// formatNames are the names of the formats in a record of what is known of a server.
var formatNames = [formatCount]string{"json_schema", "json_object", "prompt"}

// structuredChat returns valid answers only. It falls back to a less strict format if a
// server refuses one, repairs JSON, and asks once more, quoting the error, if an answer
// is invalid. Which formats a server refuses becomes part of what is known of it.
type structuredChat struct {
	inner
	server   *known.Server
	mu       sync.Mutex
	accepted [formatCount]bool // formats that worked in this process
}

// strictest returns the strictest format not known to be refused.
func (c *structuredChat) strictest() responseFormat {
	return max(0, responseFormat(slices.Index(formatNames[:], c.server.Facts().Format)))
}

func (c *structuredChat) Chat(ctx context.Context, req Request) (Response, error) {
	res, err := c.chat(ctx, req)
	cut, ok := errors.AsType[*AnswerError](err)
	if !ok || !req.Shorten || !errors.Is(err, ErrTruncated) {
		return res, err
	}
	again, err := c.chat(ctx, retryRequest(req, cut.Text, errCut, "a complete answer in fewer words"))
	again.Usage = again.Usage.Add(res.Usage)
	return again, err
}

// errCut is the reason why an answer that ends at its token limit is asked for again.
var errCut = errors.New("it is too long and was cut off")

func (c *structuredChat) chat(ctx context.Context, req Request) (Response, error) {
	if req.Schema == nil {
		return c.chatText(ctx, req)
	}
	deliver := req.Stream
	req.Stream = nil
	res, format, err := c.tryFormats(ctx, req)
	if err == nil {
		res, err = c.ensureValid(ctx, req, res, format)
	}
	if err == nil && deliver != nil {
		deliver(res.Text)
	}
	return res, err
}

// chatText asks for text. If it is invalid it asks once more, unless text was streamed to
// the caller already.
func (c *structuredChat) chatText(ctx context.Context, req Request) (Response, error) {
	res, err := c.askText(ctx, req)
	if err != nil {
		return res, err
	}
	reason := invalidText(req, res.Text)
	if reason == nil {
		return res, nil
	}
	if req.Stream != nil && res.Text != "" {
		return res, &AnswerError{Kind: ErrInvalid, Reason: reason, Text: res.Text}
	}
	again, err := c.askText(ctx, retryRequest(req, res.Text, reason, "the whole answer"))
	again.Usage = again.Usage.Add(res.Usage)
	if err != nil {
		return again, err
	}
	if reason = invalidText(req, again.Text); reason != nil {
		return again, &AnswerError{Kind: ErrInvalid, Reason: reason, Text: again.Text}
	}
	return again, nil
}

// askText asks once. It accepts an answer that ends at its token limit if the request does.
func (c *structuredChat) askText(ctx context.Context, req Request) (Response, error) {
	res, err := c.inner.Chat(ctx, req)
	if cut, ok := errors.AsType[*AnswerError](err); ok && req.MayEndAtLimit && errors.Is(err, ErrTruncated) {
		res.Text, err = cut.Text, nil
	}
	return res, err
}

// errEmptyAnswer is the reason why an answer without text is invalid.
var errEmptyAnswer = errors.New("it is empty")

// invalidText returns what is wrong with an answer that is text.
func invalidText(req Request, text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmptyAnswer
	}
	if req.Valid == nil {
		return nil
	}
	return req.Valid(text)
}

// tryFormats asks in the strictest format that the server accepts, and returns that.
func (c *structuredChat) tryFormats(ctx context.Context, req Request) (Response, responseFormat, error) {
	c.mu.Lock()
	works := c.accepted
	c.mu.Unlock()
	var first error
	var spent Usage
	for format := c.strictest(); ; format++ {
		res, err := c.inner.Chat(ctx, withFormat(req, format))
		spent = spent.Add(res.Usage)
		res.Usage = spent
		if err == nil {
			c.remember(format)
			return res, format, nil
		}
		if first == nil {
			first = err
		}
		if format == formatPromptOnly || works[format] && !mentionsFormat(err) || !isRefusal(err) {
			if isRefusal(err) {
				err = first // the request is refused in every format
			}
			return res, format, err
		}
	}
}

// remember records that the server accepts a format, and so refuses the stricter ones
// that were tried before, unless one of them is known to work.
func (c *structuredChat) remember(format responseFormat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.accepted[format] = true
	if format > 0 && !slices.Contains(c.accepted[:format], true) && format > c.strictest() {
		c.server.Learn(func(f *known.Facts) { f.Format = formatNames[format] })
	}
}

// isRefusal reports whether a server refuses a request in its present form.
func isRefusal(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Retryable || errors.Is(err, ErrTooLong) {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	case http.StatusNotFound, // from routers that have no server for the format
		http.StatusInternalServerError: // from servers whose grammar cannot express the schema
		return mentionsFormat(err)
	}
	return false
}

// refusesFormat reports whether an error of the server means that it does not support the
// format of the request, though its status suggests another try.
func refusesFormat(req Request, e *Error) bool {
	return e.Status == http.StatusInternalServerError && (req.Schema != nil || req.JSON) && mentionsFormat(e)
}

// mentionsFormat reports whether a refusal is about the response format.
func mentionsFormat(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	message := strings.ToLower(e.ServerMessage)
	for _, word := range []string{"response_format", "json_schema", "json_object", "schema", "structured", "grammar", "guided", "for format", "parameters"} {
		if strings.Contains(message, word) {
			return true
		}
	}
	return false
}

// ensureValid returns the answer as valid JSON. It asks once more if necessary.
func (c *structuredChat) ensureValid(ctx context.Context, req Request, res Response, format responseFormat) (Response, error) {
	object, complete, reason := validJSON(req, res.Text)
	if reason == nil && complete {
		res.Text = object
		return res, nil
	}
	asked := reason
	if asked == nil {
		asked = errIncomplete
	}
	again, err := c.inner.Chat(ctx, retryRequest(withSchemaText(req, format), res.Text, asked, "the whole JSON object and nothing else"))
	again.Usage = again.Usage.Add(res.Usage)
	if err != nil {
		return again, err
	}
	repeated, complete, second := validJSON(req, again.Text)
	switch {
	case second != nil && reason != nil:
		return again, &AnswerError{Kind: ErrInvalid, Reason: second, Text: again.Text}
	case second != nil || !complete && reason == nil && len(object) > len(repeated):
		again.Text = object // half an answer is more than none, and than less
	default:
		again.Text = repeated
	}
	return again, nil
}

// errIncomplete is the reason why JSON without its end is asked for again.
var errIncomplete = errors.New("the JSON ends in the middle")

// maxCandidates is how many JSON values of an answer are checked, from the last.
const maxCandidates = 16

// validJSON returns the JSON in an answer and whether its end is there, or what is wrong with
// it. Of several values it
// takes the last one that fits, of those that are complete if there are any: models quote
// JSON of the text, or a draft, before they answer.
func validJSON(req Request, answer string) (object string, complete bool, reason error) {
	values := jsonValues(answer)
	if len(values) > 1 {
		for _, complete = range []bool{true, false} {
			tried := 0
			for _, v := range slices.Backward(values) {
				if v.complete != complete || tried == maxCandidates {
					continue
				}
				tried++
				if checkJSON(req, v.text) == nil {
					return v.text, complete, nil
				}
			}
		}
	}
	best, err := longest(values)
	if err != nil {
		return "", false, err
	}
	return best.text, best.complete, checkJSON(req, best.text)
}

// checkJSON returns what is wrong with an answer that is JSON.
func checkJSON(req Request, answer string) error {
	if !json.Valid([]byte(answer)) {
		return ErrNoJSON
	}
	if err := checkOutline(req.Schema, answer); err != nil {
		return err
	}
	if req.Valid != nil {
		return req.Valid(answer)
	}
	return nil
}

// checkOutline checks the top level only: that the answer is an object if the schema
// wants one, and has the required fields. Additional fields are allowed.
func checkOutline(schema *Schema, answer string) error {
	var outline struct {
		Type     any      `json:"type"`
		Required []string `json:"required"`
	}
	_ = json.Unmarshal(schema.JSON, &outline) // what it does not contain is not checked
	if outline.Type != "object" {
		return nil
	}
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(answer, "{") || json.Unmarshal([]byte(answer), &fields) != nil {
		return errors.New("expected a JSON object, got an array")
	}
	for _, name := range outline.Required {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("the field %q is missing", name)
		}
	}
	return nil
}

// withFormat returns the request in a format. Unless that is json_schema, the schema is
// appended to the last message.
func withFormat(req Request, format responseFormat) Request {
	if format == formatJSONSchema {
		return req
	}
	req.Messages = slices.Clone(req.Messages)
	const instruction = "\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n"
	if n := len(req.Messages); n > 0 {
		req.Messages[n-1].Content += instruction + compactJSON(req.Schema.JSON)
	}
	req.JSON, req.Schema = format == formatJSONObject, nil
	return req
}

// withSchemaText returns the request with the schema also in the prompt: a server that
// accepted json_schema and sent something else ignored it.
func withSchemaText(req Request, format responseFormat) Request {
	withText := withFormat(req, max(format, formatJSONObject))
	if format == formatJSONSchema {
		withText.JSON, withText.Schema = false, req.Schema
	}
	return withText
}

// compactJSON removes the white space of a schema.
func compactJSON(schema json.RawMessage) string {
	b, err := json.Marshal(schema)
	if err != nil {
		return string(schema)
	}
	return string(b)
}

const (
	maxQuotedError  = 500  // bytes of the error that are quoted to the model
	maxQuotedAnswer = 8000 // bytes of the answer that are quoted to the model
)

// retryRequest returns the request to ask again: the conversation with the invalid answer
// and what is wrong with it.
func retryRequest(req Request, answer string, reason error, want string) Request {
	complaint := "That answer could not be used: " + quote(reason.Error(), maxQuotedError) +
		"\nAnswer the question again. Give " + want + "."
	if strings.TrimSpace(answer) == "" {
		answer = "(no text)"
	}
	req.Messages = append(slices.Clone(req.Messages),
		Message{Role: "assistant", Content: quote(answer, maxQuotedAnswer)},
		Message{Role: "user", Content: complaint})
	return req
}

// quote returns at most limit bytes of s, and dots if that is not all.
func quote(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return text.Truncate(s, limit) + " ..."
}

// Unquote returns a number or a truth value of an answer without the quotes that some models put
// around it.
func Unquote(raw json.RawMessage) string { return strings.Trim(string(raw), `" `) }
