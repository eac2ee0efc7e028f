package openai

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// optionalParams are the parameters that are left out if a server does not support them.
// Instead of max_tokens, max_completion_tokens is sent, which newer models require.
var optionalParams = []string{"max_completion_tokens", "max_tokens", "temperature", "seed", "logit_bias", "stream_options", "encoding_format", "dimensions"}

// unsupportedWords are the words with which servers refuse a parameter that they do not
// support.
var unsupportedWords = []string{"unsupported", "not support", "unrecognized", "unknown", "not permitted", "unexpected", "not allowed", "no longer supported"}

// unsupportedParams are the parameters that a server does not support. They are learned
// from refusals and kept for the life of the process.
type unsupportedParams struct {
	mu    sync.Mutex
	names map[string]bool
}

func (d *unsupportedParams) list() map[string]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.names)
}

// learn records the parameter that a refusal is about. It reports whether the request
// can be sent again without it: it was sent, and it is optional.
func (d *unsupportedParams) learn(status int, message, param string, sentWithout map[string]bool) bool {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	name := refusedParam(strings.ToLower(message), param)
	if name == "" || sentWithout[name] || name == "dimensions" {
		return false // vectors of another dimension would not help
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[name] = true
	return true
}

// refusedParam returns the optional parameter that a refusal is about, "" if it is about
// something else.
func refusedParam(message, param string) string {
	if !slices.ContainsFunc(unsupportedWords, func(word string) bool { return strings.Contains(message, word) }) {
		return ""
	}
	if slices.Contains(optionalParams, param) {
		return param
	}
	// A message about max_tokens also names the parameter to send instead: the first one
	// counts.
	first, at := "", len(message)
	for _, name := range optionalParams {
		if i := strings.Index(message, name); i >= 0 && i < at {
			first, at = name, i
		}
	}
	return first
}
