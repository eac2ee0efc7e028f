package openai

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// optional are the parameters that can be left out where a server does not know
// them, each only if it was sent. Without max_tokens, max_completion_tokens is
// sent, which newer models want.
var optional = []string{"max_completion_tokens", "max_tokens", "temperature", "seed", "logit_bias", "stream_options", "encoding_format", "dimensions"}

// unknown are the words by which servers say that they do not know a parameter.
var unknown = []string{"unsupported", "not support", "unrecognized", "unknown", "not permitted", "unexpected", "not allowed", "no longer supported"}

// A dialect is what a server does not understand. It is learnt from refusals,
// and kept for the life of the process.
type dialect struct {
	mu      sync.Mutex
	without map[string]bool
}

func (d *dialect) dropped() map[string]bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.without)
}

// learn reports whether the refusal names a parameter that was sent and can be
// left out the next time.
func (d *dialect) learn(status int, message, param string, sentWithout map[string]bool) bool {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	name := culprit(strings.ToLower(message), param)
	if name == "" || sentWithout[name] || name == "dimensions" {
		return false // a vector of another length than asked for is no help
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.without == nil {
		d.without = map[string]bool{}
	}
	d.without[name] = true
	return true
}

// culprit is the parameter that a refusal is about.
func culprit(message, param string) string {
	if !slices.ContainsFunc(unknown, func(word string) bool { return strings.Contains(message, word) }) {
		return ""
	}
	if slices.Contains(optional, param) {
		return param
	}
	// A message about max_tokens also names what to send instead: the first named counts.
	first, at := "", len(message)
	for _, name := range optional {
		if i := strings.Index(message, name); i >= 0 && i < at {
			first, at = name, i
		}
	}
	return first
}
