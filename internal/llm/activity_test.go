package llm_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// While calls wait, an activity has the reason, the server and the time when the first of them
// is sent; afterwards it is empty.
func TestActivity(t *testing.T) {
	t.Parallel()
	refusal := func(status int, after time.Duration) func() llmtest.Options {
		return func() llmtest.Options {
			return llmtest.Options{Fault: first(4, llmtest.Reply{Status: status, RetryAfter: after})}
		}
	}
	low := func(name string) func() llmtest.Options {
		return func() llmtest.Options {
			h := http.Header{"X-Ratelimit-Limit-" + name: {"6000"}, "X-Ratelimit-Remaining-" + name: {"0"}}
			return llmtest.Options{Header: h}
		}
	}
	slow := func() llmtest.Options { return llmtest.Options{Latency: time.Minute} }
	for name, c := range map[string]struct {
		options func() llmtest.Options
		config  llm.Config
		limits  llm.Limits
		budget  float64       // 0: none
		after   time.Duration // when the state is read
		want    llm.ActivityState
	}{
		"429": {options: refusal(http.StatusTooManyRequests, 20*time.Second), after: time.Second, want: llm.ActivityState{Waits: []llm.Wait{{Status: 429, Calls: 4}}}},
		"503": {options: refusal(http.StatusServiceUnavailable, 20*time.Second), after: time.Second, want: llm.ActivityState{Waits: []llm.Wait{{Status: 503, Calls: 4}}}},
		"500": {options: refusal(http.StatusInternalServerError, 0), config: llm.Config{Retry: llm.Retry{FirstWait: 20 * time.Second}}, after: time.Second, want: llm.ActivityState{Waits: []llm.Wait{{Status: 500, Calls: 4}}}},
		"no answer": {
			options: func() llmtest.Options { return llmtest.Options{Fault: first(4, llmtest.Reply{Reset: true})} },
			config:  llm.Config{Retry: llm.Retry{FirstWait: 20 * time.Second}}, after: time.Second, want: llm.ActivityState{Waits: []llm.Wait{{Calls: 4}}},
		},
		"requests": {limits: llm.Limits{RequestsPerMinute: 2}, after: time.Second, want: llm.ActivityState{Waits: []llm.Wait{{Reason: llm.WaitRate, Unit: "requests", PerMinute: 2, Calls: 3}}}},
		"tokens in headers": {
			options: low("Tokens"), limits: llm.Limits{Concurrent: 1}, after: time.Millisecond,
			want: llm.ActivityState{Waits: []llm.Wait{{Reason: llm.WaitRate, Unit: "tokens", PerMinute: 6000, Calls: 1}}},
		},
		"budget": {
			options: slow, config: llm.Config{Price: llm.Price{In: 1, Out: 1}}, budget: 1, after: time.Second,
			want: llm.ActivityState{InFlight: 1, Waits: []llm.Wait{{Reason: llm.WaitBudget, Calls: 3}}},
		},
		"calls in flight": {options: slow, after: time.Second, want: llm.ActivityState{InFlight: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				o := llmtest.Options{}
				if c.options != nil {
					o = c.options()
				}
				activity := &llm.Activity{}
				c.limits.Activity, c.limits.Server = activity, "model:1"
				c.config.Limiter = llm.NewLimiter(c.limits)
				if c.budget > 0 {
					c.config.Budget = llm.NewBudget(c.budget)
				}
				_, chat := chainInBubble(t, o, c.config)
				var asked sync.WaitGroup
				for _, question := range []string{"a", "b", "c", "d"} {
					asked.Go(func() {
						if _, err := chat.Chat(t.Context(), ask(question)); err != nil {
							t.Error(err)
						}
					})
				}
				time.Sleep(c.after)
				synctest.Wait()
				got := activity.State()
				for i := range got.Waits {
					w := &got.Waits[i]
					if known := w.Until.After(time.Now()); known != (w.Reason != llm.WaitBudget) {
						t.Errorf("the next call is sent at %v", w.Until)
					}
					if w.Server != "model:1" {
						t.Errorf("the server is %q", w.Server)
					}
					w.Until, w.Server = time.Time{}, ""
				}
				if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b []llm.Wait) bool { return len(a) == 0 && len(b) == 0 || cmp.Equal(a, b) })); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				asked.Wait()
				if end := activity.State(); end.InFlight != 0 || len(end.Waits) != 0 {
					t.Errorf("after the last call: %+v", end)
				}
			})
		})
	}
}

// first returns a fault of the first n requests.
func first(n int, r llmtest.Reply) func(llmtest.Request) *llmtest.Reply {
	return func(req llmtest.Request) *llmtest.Reply {
		if req.N > n {
			return nil
		}
		return &r
	}
}

// A call that is given up while it waits is recorded no longer.
func TestActivityOfCancelledCalls(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		activity := &llm.Activity{}
		refused := llmtest.Options{Fault: first(1, llmtest.Reply{Status: http.StatusTooManyRequests, RetryAfter: time.Minute})}
		_, chat := chainInBubble(t, refused, llm.Config{Limiter: llm.NewLimiter(llm.Limits{Activity: activity})})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := chat.Chat(ctx, ask("q")); err == nil {
			t.Fatal("the call was answered")
		}
		if end := activity.State(); end.InFlight != 0 || len(end.Waits) != 0 {
			t.Errorf("after the call: %+v", end)
		}
	})
}
