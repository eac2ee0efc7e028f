package openai

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/llm"
)

// retryAfter returns how long a refusal asks to wait: Retry-After in any of its forms,
// else the time after which an exhausted limit is reset, else 0.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	after := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return seconds(s)
	}
	if at, err := http.ParseTime(after); err == nil {
		now, err := http.ParseTime(h.Get("Date")) // the server's clock, not ours
		if err != nil {
			now = time.Now()
		}
		return seconds(at.Sub(now).Seconds())
	}
	var wait time.Duration
	for _, what := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+what) == "0" {
			wait = max(wait, parseReset(h.Get("X-Ratelimit-Reset-"+what)))
		}
	}
	return wait
}

// parseReset parses 6m0s, 20ms or plain seconds.
func parseReset(text string) time.Duration {
	if d, err := time.ParseDuration(text); err == nil {
		return max(0, d)
	}
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return seconds(s)
}

// seconds converts seconds in a header to a duration of at most a day, which is as good
// as never.
func seconds(s float64) time.Duration {
	if !(s > 0) { // includes NaN
		return 0
	}
	return time.Duration(min(s, 86400) * float64(time.Second))
}

// rateLimits returns the limits in the headers of a response, per minute.
func rateLimits(h http.Header) llm.RateLimits {
	return llm.RateLimits{
		RequestsPerMinute: number(h.Get("X-Ratelimit-Limit-Requests"), 0),
		TokensPerMinute:   number(h.Get("X-Ratelimit-Limit-Tokens"), 0),
		RequestsLeft:      number(h.Get("X-Ratelimit-Remaining-Requests"), -1),
		TokensLeft:        number(h.Get("X-Ratelimit-Remaining-Tokens"), -1),
	}
}

// number parses a number that is not negative.
func number(text string, fallback float64) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0) || math.IsInf(n, 1) { // includes NaN
		return fallback
	}
	return n
}
