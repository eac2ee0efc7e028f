package openai

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
)

// A refusal is a response with an error status.
type refusal struct {
	Status int
	said   errorDetails
	llm    *llm.Error
}

// readRefusal reads a refusal, which package httplimit bounds, and closes its body.
func (c *Client) readRefusal(model string, res *http.Response) refusal {
	b, err := io.ReadAll(res.Body)
	if err == nil {
		err = res.Body.Close()
	}
	said := c.words(b)
	if err != nil && said.Message == "" {
		said.Message = c.redact(err.Error())
	}
	after := cmp.Or(retryAfter(res.Header), said.retryAfter())
	r := refusal{Status: res.StatusCode, said: said}
	r.llm = &llm.Error{Status: res.StatusCode, RetryAfter: after, ServerMessage: said.Message}
	if res.StatusCode == http.StatusPaymentRequired || said.noCredit(after > 0) {
		r.llm.Cause = llm.ErrNoCredit
	}
	r.llm.Retryable = retryable(res.StatusCode) && r.llm.Cause == nil && !said.tooLong()
	r.llm.Message = c.redact(c.advice(model, res, said, r.llm.Cause != nil))
	c.learnContext(r.llm, said, b)
	return r
}

func retryable(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests ||
		status >= http.StatusInternalServerError && status != http.StatusNotImplemented
}

// advice returns a message that says what happened and what to do about it.
func (c *Client) advice(model string, res *http.Response, said errorDetails, noCredit bool) string {
	status := res.StatusCode
	head := fmt.Sprintf("%s answered %d", c.address.Host, status)
	if said.Message != "" {
		head += ": " + said.Message
	}
	switch {
	case status < http.StatusBadRequest:
		return fmt.Sprintf("%s redirects (%d to %s): set base_url to the final address", c.address.Host, status, shorten(res.Header.Get("Location")))
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
	case status == http.StatusRequestEntityTooLarge || said.tooLong():
		return head + fmt.Sprintf(" (the text is too long for %s: use smaller chunks or budgets, a lower max_tokens, or a model with more context)", model)
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return head + " (" + model + " does not accept this request" + hint(said) + ")"
	default:
		return head
	}
}

// namesParam matches what a server says of a parameter.
var namesParam = regexp.MustCompile(`(?i)max_(?:completion_|output_)?tokens|parameter|argument|unsupported value|temperature|top_p|\bseed\b|logit_bias`)

// hint returns what to check after a refusal, "" if the server's words are about something else.
func hint(said errorDetails) string {
	if said.Message == "" || namesParam.MatchString(said.Message+" "+said.Param) {
		return ": check max_tokens and the model's parameters"
	}
	return ""
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
			"%s sent nothing for %v: raise %s.idle_timeout, or lower concurrency", c.address.Host, silent.After, c.config.Section)}
	case errors.Is(err, context.DeadlineExceeded):
		return &llm.Error{Retryable: true, Cause: context.DeadlineExceeded, Message: fmt.Sprintf(
			"%s did not complete its answer within %v: raise %s.timeout, or lower concurrency", c.address.Host, c.config.Timeout, c.config.Section)}
	case errors.As(err, &large):
		return &llm.Error{Status: http.StatusOK, Cause: large, Message: fmt.Sprintf(
			"%s sent too much: %v, which no model writes; check base_url and the server", c.address.Host, large)}
	case errors.As(err, &cert):
		return &llm.Error{Message: c.redact(fmt.Sprintf("%s presents a certificate that is not trusted: %v", c.address.Host, cert))}
	case errors.As(err, &dns) && dns.IsNotFound:
		return &llm.Error{Message: "host " + c.address.Host + " does not exist: check base_url"}
	default:
		return &llm.Error{Retryable: true, Message: c.redact(fmt.Sprintf("the connection to %s failed: %v", c.address.Host, err))}
	}
}

// errorInBody returns the error in the body of a response with status 200. Its code or its words
// show what status it should have.
func (c *Client) errorInBody(said errorDetails) error {
	e := &llm.Error{
		Status: said.status(), RetryAfter: said.retryAfter(),
		Message: "the server stopped with an error: " + said.Message, ServerMessage: said.Message,
	}
	if e.Status == http.StatusPaymentRequired || said.noCredit(e.RetryAfter > 0) {
		e.Cause = llm.ErrNoCredit
		e.Message += " (the account has no credit left: add some, or use another key)"
	}
	e.Retryable = e.Status != http.StatusOK && retryable(e.Status) && e.Cause == nil && !said.tooLong()
	return e
}
