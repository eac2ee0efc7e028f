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

// learnUnsupported records the parameter that a refusal is about. It reports whether the
// request can be sent again without it: it was sent, and it is optional.
func (c *Client) learnUnsupported(status int, message string, sentWithout []string) bool {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	name := refusedParam(strings.ToLower(message))
	if name == "" || slices.Contains(sentWithout, name) || name == "dimensions" {
		return false // vectors of another dimension would not help
	}
	c.config.Known.Learn(func(f *known.Facts) { f.Without = append(f.Without, name) })
	return true
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
