package llm

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// No minute has more calls than allowed, and nearly as many calls are made.
func TestRequestsPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{Concurrent: 4, RequestsPerMinute: 120})
		var starts []time.Time
		begin := time.Now()
		for time.Since(begin) < 5*time.Minute {
			r, err := l.acquire(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			starts = append(starts, time.Now())
			l.release(r, Usage{}, nil)
		}
		if most := densest(starts, time.Minute); most > 120 {
			t.Errorf("%d calls within a minute, want at most 120", most)
		}
		if n := len(starts); n < 560 {
			t.Errorf("%d calls in 5 minutes, want nearly 600", n)
		}
	})
}

// densest returns the largest number of times within any window.
func densest(times []time.Time, window time.Duration) int {
	most, first := 0, 0
	for i := range times {
		for times[i].Sub(times[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func TestTokensAreSettled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{Concurrent: 1, TokensPerMinute: 60000})
		begin := time.Now()
		for range 100 { // each reserves 3,000 and uses 600: 60,000 in total
			r, err := l.acquire(context.Background(), 3000)
			if err != nil {
				t.Fatal(err)
			}
			l.release(r, Usage{TokensIn: 500, TokensOut: 100}, nil)
		}
		if took := time.Since(begin); took < 55*time.Second || took > 70*time.Second {
			t.Errorf("60,000 tokens at 60,000 a minute took %v", took)
		}
		// A call larger than a minute's allowance is let through, and the next one waits.
		r, err := l.acquire(context.Background(), 120000)
		if err != nil {
			t.Fatal(err)
		}
		l.release(r, Usage{TokensIn: 120000}, nil)
		begin = time.Now()
		if _, err := l.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took < 110*time.Second || took > 135*time.Second {
			t.Errorf("after a call of two minutes' tokens the next one waited %v", took)
		}
	})
}

func TestLimiterReadsHeaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{})
		l.update(RateLimits{RequestsPerMinute: 60, RequestsLeft: 0, TokensLeft: -1})
		begin := time.Now()
		if _, err := l.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took <= 0 || took > 2*time.Second {
			t.Errorf("with none left of 60 a minute the next call waited %v, want about a second", took)
		}
		own := NewLimiter(Limits{RequestsPerMinute: 10})
		own.update(RateLimits{RequestsPerMinute: 1000, RequestsLeft: 999, TokensLeft: -1})
		if own.requests.perMinute != 10 {
			t.Errorf("a header raised the user's own limit to %v", own.requests.perMinute)
		}
	})
}

// A server's header may slow calls, but not stop them: its limit has a floor, and its
// debt is forgiven after two minutes. Each limit that delays a call is logged once.
func TestAbsurdHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits RateLimits
		slow   bool
	}{
		"a token a minute":     {RateLimits{TokensPerMinute: 1, RequestsLeft: -1, TokensLeft: -1}, true},
		"a token a minute, 0":  {RateLimits{TokensPerMinute: 1, RequestsLeft: -1, TokensLeft: 0}, true},
		"a request in 2 hours": {RateLimits{RequestsPerMinute: .01, RequestsLeft: 0, TokensLeft: -1}, true},
		"ample":                {RateLimits{RequestsPerMinute: 1e6, TokensPerMinute: 1e9, RequestsLeft: -1, TokensLeft: -1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				l := NewLimiter(Limits{Logger: slog.New(slog.NewTextHandler(&log, nil))})
				l.update(c.limits)
				begin := time.Now()
				for range 10 { // 30,000 tokens
					r, err := l.acquire(context.Background(), 3000)
					if err != nil {
						t.Fatal(err)
					}
					l.update(c.limits)
					l.release(r, Usage{TokensIn: 200000}, nil)
				}
				if took := time.Since(begin); took > 10*(maxLearnedWait+time.Second) || (took > time.Minute) != c.slow {
					t.Errorf("10 calls took %v, want at most %v each", took, maxLearnedWait)
				}
				if n := strings.Count(log.String(), "rate limit of the server"); (n == 1) != c.slow {
					t.Errorf("logged %q", log.String())
				}
			})
		})
	}
}

// A limit that the user set is kept, however long a call waits.
func TestUsersLimitIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{TokensPerMinute: 100})
		begin := time.Now()
		for range 2 {
			r, err := l.acquire(context.Background(), 3000)
			if err != nil {
				t.Fatal(err)
			}
			l.release(r, Usage{TokensIn: 3000}, nil)
		}
		if took := time.Since(begin); took < 30*time.Minute {
			t.Errorf("the second call of 3,000 tokens at 100 a minute waited %v", took)
		}
	})
}

// A refusal that asks to wait for hours fails its own call; it delays no other.
func TestRefusalForHoursDelaysNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{})
		for range 3 { // the second and third pause all calls
			r, err := l.acquire(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			l.release(r, Usage{}, &Error{Status: 429, Retryable: true, RetryAfter: 9 * time.Hour})
		}
		begin := time.Now()
		if _, err := l.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > maxLearnedWait {
			t.Errorf("the next call waited %v", took)
		}
	})
}

// The models of a server share its concurrency and have their own rates.
func TestModelsOfAServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := NewLimiter(Limits{Concurrent: 2})
		a, b := server.ForModel(Limits{RequestsPerMinute: 1}), server.ForModel(Limits{})
		begin := time.Now()
		first, err := a.acquire(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			r, err := b.acquire(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			b.release(r, Usage{}, nil)
		}
		if took := time.Since(begin); took > 0 {
			t.Errorf("the calls of the other model waited %v", took)
		}
		if _, err := b.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := b.acquire(ctx, 1); err == nil || server.Stats().Running != 2 {
			t.Errorf("%+v: a third call of the server got one of two slots", server.Stats())
		}
		a.release(first, Usage{}, nil)
		begin = time.Now()
		if _, err := a.acquire(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took < 30*time.Second {
			t.Errorf("the second call at 1 a minute waited %v", took)
		}
	})
}

func TestCancelledCallsFreeTheirSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{Concurrent: 1})
		first, err := l.acquire(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := l.acquire(ctx, 1); err == nil {
			t.Fatal("a second call got the only slot")
		}
		l.release(first, Usage{}, nil)
		if s := l.Stats(); s.Running != 0 || len(l.waiting) != 0 {
			t.Errorf("after all calls: %+v", s)
		}
		if _, err := l.acquire(context.Background(), 1); err != nil {
			t.Error(err)
		}
	})
}
