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
)

// refusal is an answer with an error status.
type refusal struct {
	Status int
	text   string // the server's words
	param  string
	llm    *llm.Error
}

// details is what servers write into the body of a refusal.
type details struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    any    `json:"code"`
	Param   string `json:"param"`
}

// mostBody is how much of a refusal is read.
const mostBody = 64 << 10

// refused reads a refusal and closes it.
func (c *Client) refused(model string, res *http.Response) refusal {
	b, err := io.ReadAll(io.LimitReader(res.Body, mostBody))
	if err == nil {
		err = res.Body.Close()
	}
	d := detailsOf(b)
	if err != nil && d.Message == "" {
		d.Message = err.Error()
	}
	r := refusal{Status: res.StatusCode, text: d.Message, param: d.Param}
	broke := d.Type == "insufficient_quota" || d.Code == "insufficient_quota" || d.Code == "billing_hard_limit_reached"
	r.llm = &llm.Error{
		Status: res.StatusCode, Retryable: retryable(res.StatusCode) && !broke, RetryAfter: retryAfter(res.Header),
		Message: c.redact(c.advice(model, res, d, broke)), ServerMessage: c.redact(d.Message),
	}
	return r
}

// detailsOf reads the forms that refusals take.
func detailsOf(b []byte) details {
	var body struct {
		details
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(b, &body) != nil {
		return details{Message: brief(string(b))}
	}
	d := body.details
	if len(body.Error) > 0 {
		if json.Unmarshal(body.Error, &d) != nil {
			var text string
			if json.Unmarshal(body.Error, &text) == nil {
				d.Message = text
			}
		}
	}
	if d.Message == "" {
		d.Message = string(body.Detail)
	}
	d.Message = brief(d.Message)
	return d
}

// brief makes a server's words fit a line.
func brief(text string) string {
	const most = 400
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	return text
}

func retryable(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests ||
		status >= http.StatusInternalServerError && status != http.StatusNotImplemented
}

// advice says what happened and what to do about it.
func (c *Client) advice(model string, res *http.Response, d details, broke bool) string {
	status := res.StatusCode
	said := ""
	if d.Message != "" {
		said = ": " + d.Message
	}
	head := fmt.Sprintf("%s answered %d%s", c.host, status, said)
	switch {
	case status < http.StatusBadRequest:
		return fmt.Sprintf("%s sends elsewhere (%d to %s): set base_url to the address that answers", c.host, status, res.Header.Get("Location"))
	case broke:
		return head + " (the account has no credit left: add some, or use another key)"
	case status == http.StatusUnauthorized && c.config.Key == "":
		return head + " (it wants a key: set the variable that api_key_env names)"
	case status == http.StatusUnauthorized:
		return head + " (it does not know the key: check it, and that it belongs to this server)"
	case status == http.StatusForbidden:
		return head + fmt.Sprintf(" (the key may not use %s: choose another model, or have it allowed)", model)
	case status == http.StatusNotFound:
		return head + fmt.Sprintf(" (no model %s there, or another path: check model and base_url, which usually ends in /v1)", model)
	case status == http.StatusRequestEntityTooLarge || tooLong(d):
		return head + fmt.Sprintf(" (the text is too long for %s: use smaller chunks or budgets, or a model with more context)", model)
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return head + fmt.Sprintf(" (%s cannot take this request: check the model's parameters)", model)
	default:
		return head
	}
}

func tooLong(d details) bool {
	text := strings.ToLower(d.Message)
	return d.Code == "context_length_exceeded" || strings.Contains(text, "context length") || strings.Contains(text, "context size") ||
		strings.Contains(text, "context window") || strings.Contains(text, "maximum context")
}

// redact takes the key out of a text, should a server or a library quote it.
func (c *Client) redact(text string) string {
	const secret = 4 // shorter keys are fillers, such as x
	if len(c.config.Key) < secret {
		return text
	}
	return strings.ReplaceAll(text, c.config.Key, "***")
}

// failure makes an error that holds no key, and says whether to try again.
func (c *Client) failure(ctx context.Context, model string, err error) error {
	var known *llm.Error
	var cert *tls.CertificateVerificationError
	var dns *net.DNSError
	switch {
	case errors.As(err, &known):
		plain := *known
		plain.Message, plain.ServerMessage = c.redact(known.Message), c.redact(known.ServerMessage)
		return &plain
	case ctx.Err() != nil:
		return fmt.Errorf("ask %s: %w", model, ctx.Err())
	case errors.Is(err, context.DeadlineExceeded):
		return &llm.Error{Retryable: true, Cause: context.DeadlineExceeded, Message: fmt.Sprintf(
			"%s did not answer within %v: raise the timeout, or send fewer calls at once", c.host, c.config.Timeout)}
	case errors.As(err, &cert):
		return &llm.Error{Message: c.redact(fmt.Sprintf("%s shows a certificate that is not trusted: %v", c.host, cert))}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &llm.Error{Message: "there is no host " + c.host + ": check base_url"}
	default:
		return &llm.Error{Retryable: true, Message: c.redact(fmt.Sprintf("cannot talk to %s: %v", c.host, err))}
	}
}

// midway reads an error that comes in the body of an answer with status 200.
func midway(raw json.RawMessage) error {
	d := detailsOf(fmt.Appendf(nil, `{"error":%s}`, raw))
	status := http.StatusOK
	if code, ok := d.Code.(float64); ok && code >= 400 && code < 600 {
		status = int(code)
	}
	busy := []string{"rate_limit_exceeded", "server_error", "overloaded_error", "timeout"}
	again := status != http.StatusOK && retryable(status) || slices.Contains(busy, d.Type) || slices.Contains(busy, fmt.Sprint(d.Code))
	return &llm.Error{Status: status, Retryable: again, Message: "the server stopped with an error: " + d.Message}
}
