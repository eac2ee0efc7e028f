package llm

import (
	"context"
	"encoding/json"
	"errors"
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
	reason := invalidAnswer(req, res)
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
	if reason = invalidAnswer(req, again); reason != nil {
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

// errOnlyReasoning is the reason why an answer is invalid whose text is all reasoning. It is not
// taken for the answer: reasoning has drafts, quotes of the prompt and doubts, and is not
// addressed to the reader.
var errOnlyReasoning = errors.New("the model wrote only reasoning: raise max_tokens, or switch reasoning off by --parameter, as in reasoning_effort=low")

// invalidAnswer returns what is wrong with a response that is text.
func invalidAnswer(req Request, res Response) error {
	if strings.TrimSpace(res.Text) == "" && res.Reasoning != "" {
		return errOnlyReasoning
	}
	return invalidText(req, res.Text)
}

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
	object, complete, reason := answerJSON(req, res)
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
	repeated, complete, second := answerJSON(req, again)
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
