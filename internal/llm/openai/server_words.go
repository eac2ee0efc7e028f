package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/text"
)

// errorDetails is what a server says of an error.
type errorDetails struct {
	Message string // one short line without the key; "" if the server says nothing
	Type    string
	Code    string
	Param   string // that the error is about
	known   bool   // Message is in a field for messages, not merely the body
}

// maxQuoted bounds the part of a body in which words are looked for.
const maxQuoted = 64 << 10

// messageKeys are the fields in which servers put words about an error, the best first. What
// error and errors hold is looked for before.
var messageKeys = []string{
	"message", "msg", "detail", "details", "error_msg", "error_message", "errorMessage", "errmsg", "error_description", "description", "reason", "title",
}

// words returns what a server says in the body of an error: in JSON of any form, in HTML, or
// in plain text.
func (c *Client) words(body []byte) errorDetails {
	body = body[:min(len(body), maxQuoted)]
	var value any
	var d errorDetails
	if json.Unmarshal(body, &value) == nil {
		d.Message = d.read(value)
		d.known = d.Message != ""
		if fields, ok := value.(map[string]any); !d.known && ok && len(fields) > 0 {
			d.Message = string(body)
		}
	} else {
		d.Message = plainText(string(body))
	}
	d.Message = shorten(c.redact(d.Message)) // in this order, so that no part of the key stays
	return d
}

// read takes what a decoded value says, and returns its message.
func (d *errorDetails) read(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case []any:
		const most = 3
		var all []string
		for _, element := range v[:min(len(v), most)] {
			if message := d.read(element); message != "" {
				all = append(all, message)
			}
		}
		return strings.Join(all, "; ")
	case map[string]any:
		return d.readFields(v)
	}
	return ""
}

func (d *errorDetails) readFields(fields map[string]any) string {
	kind, isString := fields["error"].(string)
	message := ""
	if !isString {
		message = d.read(fields["error"])
	}
	if message == "" {
		message = d.read(fields["errors"])
	}
	setFirst(&d.Type, fields, "type", "error_type")
	setFirst(&d.Code, fields, "code", "error_code", "errcode", "status_code", "status")
	setFirst(&d.Param, fields, "param")
	for _, key := range messageKeys {
		if message == "" {
			message = d.read(fields[key])
		}
	}
	if isString {
		setFirst(&d.Type, fields, "error") // a name of the error, if there is a message too
	}
	if message == "" {
		message = strings.TrimSpace(kind)
	}
	if at, ok := fields["loc"].([]any); ok && message != "" { // FastAPI
		path := make([]string, len(at))
		for i, step := range at {
			path[i] = fmt.Sprint(step)
		}
		message = strings.Join(path, ".") + ": " + message
	}
	if from, ok := fields["metadata"].(map[string]any); ok { // a router quotes its provider
		if raw, ok := from["raw"].(string); ok && raw != "" {
			message += ": " + strings.TrimSpace(raw)
		}
	}
	return message
}

// setFirst sets an empty string to the first of several fields that is a string or a number.
func setFirst(to *string, fields map[string]any, keys ...string) {
	for _, key := range keys {
		if *to != "" {
			return
		}
		switch v := fields[key].(type) {
		case string:
			*to = v
		case float64:
			*to = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
}

var (
	htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlSkip  = regexp.MustCompile(`(?is)<(?:script|style|head)\b.*?</(?:script|style|head)>|<[^>]*>`)
	isHTML    = regexp.MustCompile(`(?i)^\s*<(?:!doctype|html|head|body|title|h1|center|p)\b`)
)

// plainText returns the title of HTML, or its text. Other text stays.
func plainText(body string) string {
	if !isHTML.MatchString(body) {
		return body
	}
	if m := htmlTitle.FindStringSubmatch(body); m != nil && strings.TrimSpace(m[1]) != "" {
		return html.UnescapeString(m[1])
	}
	return html.UnescapeString(htmlSkip.ReplaceAllString(body, " "))
}

// shorten returns a server's message as one short line.
func shorten(message string) string {
	const limit = 400
	return text.Shorten(text.OneLine(message), limit)
}

// inBrackets returns words for the middle of a message, "" for none.
func inBrackets(words string) string {
	if words == "" {
		return ""
	}
	return " (" + words + ")"
}

// isError reports whether the field error of an answer holds an error: servers also send empty
// values in it.
func isError(raw json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return false
	}
	return true
}

// all returns everything that is said, in lower case.
func (d errorDetails) all() string {
	return strings.ToLower(d.Message + " " + d.Type + " " + d.Code)
}

// tooLong reports whether a request was refused because its text exceeds the model's context.
func (d errorDetails) tooLong() bool { return tooLongWords.MatchString(d.all()) }

var tooLongWords = regexp.MustCompile(`context[_ ](?:length|size|window)|maximum context`)

// noCreditWords are what servers say if an account has no credit, or has used what it may use
// in a month.
var noCreditWords = regexp.MustCompile(`insufficient[_ ](?:user[_ ])?(?:quota|balance|credits?|funds|account balance)` +
	`|(?:balance|credits?|funds|quota) (?:is|are|has|have)(?: been)? (?:insufficient|not enough|too low|exhausted|used up|depleted)` +
	`|\b(?:no|out of|not enough|low on|exhausted|used up|ran out of|negative) (?:\w+ ){0,3}(?:credits?|balance|funds)\b|credit balance` +
	`|\barrear|overdue|recharge|\btop[ -]?up\b|billing[_ ](?:details|hard|limit|account|is|not|must|has)|payment required|spend(?:ing)? limit` +
	`|exceeded your current quota|(?:monthly|per month).{0,40}(?:quota|limit|allowance|usage)|(?:quota|limit|allowance|usage).{0,40}(?:monthly|per month|this month)` +
	`|余额|欠费|充值|额度`)

// noCredit reports whether the account has no credit left, so that trying again cannot help. A
// server that says when to try again refuses for a rate instead, whatever it says of a plan.
func (d errorDetails) noCredit(saysWhen bool) bool {
	if d.Code == "insufficient_quota" || d.Type == "insufficient_quota" || d.Code == "billing_hard_limit_reached" {
		return true
	}
	return !saysWhen && noCreditWords.MatchString(d.all())
}

// retryIn matches how long a server asks to wait.
var retryIn = regexp.MustCompile(`(?i)(?:retry|try again|wait)\s+(?:in|after|for)\s+(?:((?:\d+(?:\.\d+)?(?:ms|h|m|s))+)\b|(\d+(?:\.\d+)?)\s*(?:sec|second)s?\b)`)

// retryAfter returns how long the words of a server ask to wait, 0 if they do not.
func (d errorDetails) retryAfter() time.Duration {
	m := retryIn.FindStringSubmatch(d.Message)
	if m == nil {
		return 0
	}
	if m[2] != "" {
		return parseReset(m[2])
	}
	return parseReset(m[1])
}

// statusWords show which status an error without one should have.
var statusWords = []struct {
	words  *regexp.Regexp
	status int
}{
	{regexp.MustCompile(`(?:invalid|incorrect|wrong|expired|missing) (?:api[ _-]?key|access token|credentials)|invalid_api_key|unauthori[sz]ed|authentication`), http.StatusUnauthorized},
	{tooLongWords, http.StatusBadRequest},
	{regexp.MustCompile(`too long|too many tokens|less than \d+ tokens|maximum .{0,20}length|exceed\w* .{0,40}(?:length|tokens)|invalid[_ ](?:request|parameter|input|argument)`), http.StatusBadRequest},
	{regexp.MustCompile(`rate[ _-]?limit|too many requests|\b429\b`), http.StatusTooManyRequests},
	{regexp.MustCompile(`overload|\bbusy\b|server_error|internal (?:server )?error|time[sd]?[ -]?out|temporar|unavailable|try again|no healthy upstream|at capacity`), http.StatusServiceUnavailable},
}

// status returns the status that an error in the body of a successful response should have, 200
// if that is not known.
func (d errorDetails) status() int {
	if code, err := strconv.Atoi(d.Code); err == nil && code >= 400 && code < 600 {
		return code
	}
	if d.noCredit(d.retryAfter() > 0) {
		return http.StatusPaymentRequired
	}
	said := d.all()
	for _, s := range statusWords {
		if s.words.MatchString(said) {
			return s.status
		}
	}
	return http.StatusOK
}
