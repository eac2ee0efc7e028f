package openai

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
	"github.com/neorag/neorag/internal/text"
)

// A refusal is a response with an error status.
type refusal struct {
	Status int
	text   string // the server's message
	llm    *llm.Error
}

// errorDetails is the content of the body of a refusal.
type errorDetails struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    any    `json:"code"`
}

// readRefusal reads a refusal, which package httplimit bounds, and closes its body.
func (c *Client) readRefusal(model string, res *http.Response) refusal {
	b, err := io.ReadAll(res.Body)
	if err == nil {
		err = res.Body.Close()
	}
	d := parseErrorBody(b)
	if err != nil && d.Message == "" {
		d.Message = err.Error()
	}
	r := refusal{Status: res.StatusCode, text: d.Message}
	noCredit := d.Type == "insufficient_quota" || d.Code == "insufficient_quota" || d.Code == "billing_hard_limit_reached"
	r.llm = &llm.Error{
		Status: res.StatusCode, Retryable: retryable(res.StatusCode) && !noCredit, RetryAfter: retryAfter(res.Header),
		Message: c.redact(c.advice(model, res, d, noCredit)), ServerMessage: c.redact(d.Message),
	}
	c.learnContext(r.llm, d, b)
	return r
}

// parseErrorBody decodes the body of a refusal in any of the forms that servers use.
func parseErrorBody(b []byte) errorDetails {
	var body struct {
		errorDetails
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(b, &body) != nil {
		return errorDetails{Message: shorten(string(b))}
	}
	d := body.errorDetails
	if len(body.Error) > 0 {
		if json.Unmarshal(body.Error, &d) != nil {
			var message string
			if json.Unmarshal(body.Error, &message) == nil {
				d.Message = message
			}
		}
	}
	if d.Message == "" {
		d.Message = string(body.Detail)
	}
	d.Message = shorten(d.Message)
	return d
}

// shorten returns a server's message as one short line.
func shorten(message string) string {
	const limit = 400
	return text.Shorten(text.OneLine(message), limit)
}

func retryable(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests ||
		status >= http.StatusInternalServerError && status != http.StatusNotImplemented
}

// advice returns a message that says what happened and what to do about it.
func (c *Client) advice(model string, res *http.Response, d errorDetails, noCredit bool) string {
	status := res.StatusCode
	said := ""
	if d.Message != "" {
		said = ": " + d.Message
	}
	head := fmt.Sprintf("%s answered %d%s", c.host, status, said)
	switch {
	case status < http.StatusBadRequest:
		return fmt.Sprintf("%s redirects (%d to %s): set base_url to the final address", c.host, status, res.Header.Get("Location"))
	case noCredit:
		return head + " (the account has no credit left: add some, or use another key)"
	case status == http.StatusUnauthorized && c.config.Key == "":
		return head + " (it requires a key: set the variable that api_key_env names)"
	case status == http.StatusUnauthorized:
		return head + " (it rejects the key: check it, and that it belongs to this server)"
	case status == http.StatusForbidden:
		return head + fmt.Sprintf(" (the key has no access to %s: choose another model, or request access)", model)
	case status == http.StatusNotFound:
		return head + fmt.Sprintf(" (there is no model %s, or the path is wrong: check model and base_url, which usually ends in /v1)", model)
	case status == http.StatusRequestEntityTooLarge || tooLong(d):
		return head + fmt.Sprintf(" (the text is too long for %s: use smaller chunks or budgets, a lower max_tokens, or a model with more context)", model)
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return head + fmt.Sprintf(" (%s does not accept this request: check max_tokens and the model's parameters)", model)
	default:
		return head
	}
}

// tooLong reports whether a request was refused because its text exceeds the model's context.
func tooLong(d errorDetails) bool {
	message := strings.ToLower(d.Message)
	return d.Code == "context_length_exceeded" || strings.Contains(message, "context length") || strings.Contains(message, "context size") ||
		strings.Contains(message, "context window") || strings.Contains(message, "maximum context")
}

// redact replaces the key in a text, in case a server or a library quotes it.
func (c *Client) redact(s string) string {
	const minSecret = 4 // shorter keys are placeholders such as x
	if len(c.config.Key) < minSecret {
		return s
	}
	return strings.ReplaceAll(s, c.config.Key, "***")
}

// failure returns err as an error that contains no key and shows whether the call may be
// retried.
func (c *Client) failure(ctx context.Context, model string, err error) error {
	var known *llm.Error
	var cert *tls.CertificateVerificationError
	var dns *net.DNSError
	var silent *httplimit.SilentError
	var large *httplimit.TooLargeError
	switch {
	case errors.As(err, &known):
		plain := *known
		plain.Message, plain.ServerMessage = c.redact(known.Message), c.redact(known.ServerMessage)
		c.learnContext(&plain, errorDetails{Message: plain.ServerMessage}, nil)
		return &plain
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s: %w", model, ctx.Err())
	case errors.As(err, &silent):
		return &llm.Error{Retryable: true, Cause: silent, Message: fmt.Sprintf(
			"%s sent nothing for %v: raise %s.idle_timeout, or lower concurrency", c.host, silent.After, c.config.Section)}
	case errors.Is(err, context.DeadlineExceeded):
		return &llm.Error{Retryable: true, Cause: context.DeadlineExceeded, Message: fmt.Sprintf(
			"%s did not complete its answer within %v: raise %s.timeout, or lower concurrency", c.host, c.config.Timeout, c.config.Section)}
	case errors.As(err, &large):
		return &llm.Error{Status: http.StatusOK, Cause: large, Message: fmt.Sprintf(
			"%s sent too much: %v, which no model writes; check base_url and the server", c.host, large)}
	case errors.As(err, &cert):
		return &llm.Error{Message: c.redact(fmt.Sprintf("%s presents a certificate that is not trusted: %v", c.host, cert))}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &llm.Error{Message: "host " + c.host + " does not exist: check base_url"}
	default:
		return &llm.Error{Retryable: true, Message: c.redact(fmt.Sprintf("the connection to %s failed: %v", c.host, err))}
	}
}

// errorInBody returns the error in the body of a response with status 200.
func errorInBody(raw json.RawMessage) error {
	d := parseErrorBody(fmt.Appendf(nil, `{"error":%s}`, raw))
	status := http.StatusOK
	if code, ok := d.Code.(float64); ok && code >= 400 && code < 600 {
		status = int(code)
	}
	busy := []string{"rate_limit_exceeded", "server_error", "overloaded_error", "timeout"}
	again := status != http.StatusOK && retryable(status) || slices.Contains(busy, d.Type) || slices.Contains(busy, fmt.Sprint(d.Code))
	return &llm.Error{Status: status, Retryable: again, Message: "the server stopped with an error: " + d.Message, ServerMessage: d.Message}
}
