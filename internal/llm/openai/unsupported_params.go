package openai

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/llm/known"
)

// optionalParams are the parameters that are left out if a server does not support them.
// Instead of max_tokens, max_completion_tokens is sent, which newer models require.
var optionalParams = []string{"max_completion_tokens", "max_tokens", "temperature", "seed", "logit_bias", "stream_options", "encoding_format", "dimensions"}

// unsupportedForms are the sentences with which servers refuse a parameter that they do
// not support, in lower case. A message that only mentions a parameter has another form.
var unsupportedForms = sync.OnceValue(func() []*regexp.Regexp {
	const (
		kind  = `(?:parameters?|arguments?|values?|fields?|names?|propert(?:y|ies)|keys?|options?)`
		quote = "['\"`]*"
		notTo = `(?: [^t]| t[^o]|[^ ]|$)` // as in: is not allowed to exceed 1
	)
	name := quote + `\b(` + strings.Join(optionalParams, "|") + `)\b` + quote
	var forms []*regexp.Regexp
	for _, form := range []string{
		`(?:unsupported|unrecognized|unknown|unexpected) (?:request |keyword |body )?` + kind + `?(?: supplied| provided)?\s*:?\s*` + name,
		name + `\s*` + kind + `?\s*(?:is|are) (?:not (?:yet |currently )?(?:supported|allowed|permitted|recognized|accepted)|no longer supported|unsupported|deprecated)` + notTo,
		name + `\s*` + kind + `?\s*does(?: not|n't) support`,
		`do(?:es)?(?: not|n't) (?:support|accept|allow|recognize) (?:the )?(?:` + kind + ` )?` + name,
		name + `["'\]\s,:]*(?:msg["'\s:]*)?extra (?:inputs|fields) (?:are )?not permitted`, // FastAPI
	} {
		forms = append(forms, regexp.MustCompile(form))
	}
	return forms
})

// A shape is what a request has that a server may refuse.
type shape struct{ stream, roles bool }

// learn records what a refusal is about: a parameter, streaming, or the roles of messages. It
// reports whether the request can be sent again without it: it was sent, and it is optional.
func (c *Client) learn(r refusal, sent shape, as known.Facts) bool {
	if name := refusedParam(strings.ToLower(r.said.Message)); isBadRequest(r.Status) && name != "" {
		if slices.Contains(as.Without, name) || name == "dimensions" {
			return false // vectors of another dimension would not help
		}
		c.config.Known.Learn(func(f *known.Facts) { f.Without = append(f.Without, name) })
		return true
	}
	switch {
	case sent.stream && !as.WholeAnswers && refusesStream(r.Status, r.said):
		c.config.Known.Learn(func(f *known.Facts) { f.WholeAnswers = true })
	case sent.roles && !as.OneMessage && refusesRoles(r.Status, r.said):
		c.config.Known.Learn(func(f *known.Facts) { f.OneMessage = true })
	default:
		return false
	}
	return true
}

func isBadRequest(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnprocessableEntity
}

// streamRefused matches what servers say if a model, or an account, cannot stream.
var streamRefused = regexp.MustCompile(`(?i)\bstream(?:ing|ed|s)?\b.{0,60}(?:not|n't|unsupported|disabled|cannot|must be (?:false|verified)|should be false|unavailable)` +
	`|(?:not|n't|cannot|unsupported|verified|disabled?).{0,60}\bstream(?:ing|ed)?\b|non-stream|stream\W{0,4}(?:to |= ?)?false`)

// refusesStream reports whether a refusal is about streaming.
func refusesStream(status int, said errorDetails) bool {
	if !isBadRequest(status) && status != http.StatusForbidden && status != http.StatusMethodNotAllowed && status != http.StatusNotImplemented {
		return false
	}
	return said.Param == "stream" || streamRefused.MatchString(said.Message)
}

// refusedParam returns the optional parameter that a refusal names as unsupported, "" if
// there is none. A message about max_tokens also names the parameter to send instead: the
// first one counts.
func refusedParam(message string) string {
	first, at := "", len(message)
	for _, form := range unsupportedForms() {
		if m := form.FindStringSubmatchIndex(message); m != nil && m[2] < at {
			first, at = message[m[2]:m[3]], m[2]
		}
	}
	return first
}
