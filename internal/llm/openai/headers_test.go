package openai

import (
	"net/http"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		h    map[string]string
		want time.Duration
	}{
		{"nothing", nil, 0},
		{"seconds", map[string]string{"Retry-After": "2"}, 2 * time.Second},
		{"a fraction", map[string]string{"Retry-After": "0.25"}, 250 * time.Millisecond},
		{"milliseconds win", map[string]string{"Retry-After": "2", "Retry-After-Ms": "1500"}, 1500 * time.Millisecond},
		{"a date by the server's clock", map[string]string{
			"Retry-After": "Fri, 20 Nov 2026 10:00:30 GMT", "Date": "Fri, 20 Nov 2026 10:00:00 GMT",
		}, 30 * time.Second},
		{"a date in the past", map[string]string{
			"Retry-After": "Fri, 20 Nov 2026 10:00:00 GMT", "Date": "Fri, 20 Nov 2026 10:00:30 GMT",
		}, 0},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0},
		{"negative", map[string]string{"Retry-After": "-5"}, 0},
		{"for ever", map[string]string{"Retry-After": "1e300"}, 24 * time.Hour},
		{"limit exhausted", map[string]string{"X-Ratelimit-Remaining-Requests": "0", "X-Ratelimit-Reset-Requests": "1m2s"}, 62 * time.Second},
		{"limit exhausted, seconds", map[string]string{"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "3"}, 3 * time.Second},
		{"limit not exhausted", map[string]string{"X-Ratelimit-Remaining-Tokens": "5", "X-Ratelimit-Reset-Tokens": "3"}, 0},
		{"reset nonsense", map[string]string{"X-Ratelimit-Remaining-Tokens": "0", "X-Ratelimit-Reset-Tokens": "later"}, 0},
	} {
		h := http.Header{}
		for name, value := range c.h {
			h.Set(name, value)
		}
		if got := retryAfter(h); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLimitsOf(t *testing.T) {
	t.Parallel()
	h := http.Header{}
	if got, want := rateLimits(h), (llm.RateLimits{RequestsLeft: -1, TokensLeft: -1}); got != want {
		t.Errorf("without headers: %+v, want %+v", got, want)
	}
	h.Set("x-ratelimit-limit-tokens", "30000")
	h.Set("x-ratelimit-remaining-tokens", "0")
	h.Set("x-ratelimit-limit-requests", "-1")
	if got, want := rateLimits(h), (llm.RateLimits{TokensPerMinute: 30000, RequestsLeft: -1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	h.Set("x-ratelimit-limit-tokens", "Inf")
	h.Set("x-ratelimit-remaining-tokens", "NaN")
	if got, want := rateLimits(h), (llm.RateLimits{RequestsLeft: -1, TokensLeft: -1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
