package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault llmtest.Reply
		again bool
	}{
		{"408", llmtest.Reply{Status: 408}, true},
		{"409", llmtest.Reply{Status: 409}, true},
		{"429", llmtest.Reply{Status: 429}, true},
		{"500", llmtest.Reply{Status: 500}, true},
		{"502 of a proxy", llmtest.Reply{Status: 502, Raw: "<html>Bad Gateway</html>"}, true},
		{"503", llmtest.Reply{Status: 503}, true},
		{"529", llmtest.Reply{Status: 529}, true},
		{"reset", llmtest.Reply{Reset: true}, true},
		{"error in a good answer", llmtest.Reply{Raw: `{"error":{"code":502,"message":"upstream"}}`}, true},
		{"no choices", llmtest.Reply{Raw: `{"choices":[]}`}, true},
		{"400", llmtest.Reply{Status: 400, Message: "no"}, false},
		{"401", llmtest.Reply{Status: 401}, false},
		{"403", llmtest.Reply{Status: 403}, false},
		{"404", llmtest.Reply{Status: 404}, false},
		{"422", llmtest.Reply{Status: 422}, false},
		{"no credit", llmtest.Reply{Status: 429, Code: "insufficient_quota", Message: "You exceeded your current quota"}, false},
		{"HTML with 200", llmtest.Reply{Raw: "<html>"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, chat := chain(t, llmtest.Options{}, llm.Config{})
			s.Enqueue(c.fault, c.fault)
			res, err := chat.Chat(context.Background(), ask("q"))
			want := 3
			if !c.again {
				want = 1
			}
			if got := s.Counts().Requests; got != want {
				t.Errorf("%d requests, want %d (%v)", got, want, err)
			}
			if c.again != (err == nil && res.Text == "ok") {
				t.Errorf("answer %q, error %v", res.Text, err)
			}
		})
	}
}

func TestRetryGivesUp(t *testing.T) {
	t.Parallel()
	fault := func(llmtest.Request) *llmtest.Reply { return &llmtest.Reply{Status: 500, Message: "broken"} }
	s, chat := chain(t, llmtest.Options{Fault: fault}, llm.Config{Retry: llm.Retry{Attempts: 3, FirstWait: time.Millisecond}})
	_, err := chat.Chat(context.Background(), ask("q"))
	if status(err) != 500 || !strings.Contains(err.Error(), "3 attempts") || s.Counts().Requests != 3 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

// If no server ever answered, the call fails soon.
func TestNoServer(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		s, c := connectInBubble(t, llmtest.Options{}, openai.Config{})
		s.Close()
		start := time.Now()
		_, err := llm.New(llm.Config{Provider: c.Chat()}).Chat(context.Background(), ask("q"))
		if took := time.Since(start); err == nil || !strings.Contains(err.Error(), "3 attempts") || took > 2*time.Second {
			t.Errorf("error %v after %v", err, took)
		}
	})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]llmtest.Reply{
		"seconds": {Status: 429, RetryAfter: 300 * time.Millisecond},
		"ms":      {Status: 429, Header: http.Header{"Retry-After-Ms": {"300"}}},
		"date": {Status: 429, Header: http.Header{
			"Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}, "Retry-After": {"Fri, 20 Nov 2026 10:00:01 GMT"},
		}},
		"reset": {Status: 429, Header: http.Header{"X-Ratelimit-Remaining-Tokens": {"0"}, "X-Ratelimit-Reset-Tokens": {"300ms"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				s, chat := chainInBubble(t, llmtest.Options{}, llm.Config{})
				s.Enqueue(fault)
				start := time.Now()
				mustAsk(t, chat, ask("q"))
				asked := 300 * time.Millisecond
				if name == "date" {
					asked = time.Second
				}
				if took := time.Since(start); took < asked || took > asked+quick.MaxWait {
					t.Errorf("answered after %v, want %v", took, asked)
				}
			})
		})
	}
}

func TestRetryAfterBeyondTheLimit(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{}, llm.Config{})
	s.Enqueue(llmtest.Reply{Status: 429, RetryAfter: 3 * time.Hour})
	_, err := chat.Chat(context.Background(), ask("q"))
	if err == nil || !strings.Contains(err.Error(), "3h0m0s") || s.Counts().Requests != 1 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

// Waiting ends with the context and holds no slot.
func TestWaitingToRetry(t *testing.T) {
	t.Parallel()
	inBubble(t, waitingToRetry)
}

func waitingToRetry(t *testing.T) {
	limiter := llm.NewLimiter(llm.Limits{Concurrent: 1})
	s, chat := chainInBubble(t, llmtest.Options{}, llm.Config{Limiter: limiter})
	s.Enqueue(llmtest.Reply{Status: 500, RetryAfter: time.Minute})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := chat.Chat(ctx, ask("first"))
		failed <- err
	}()
	for s.Counts().Requests == 0 || limiter.Stats().Running > 0 {
		time.Sleep(time.Millisecond)
	}
	mustAsk(t, chat, ask("second")) // though there is only one slot
	start := time.Now()
	cancel()
	err := <-failed
	if !errors.Is(err, context.Canceled) || time.Since(start) > 0 {
		t.Errorf("error %v after %v", err, time.Since(start))
	}
}

func TestTimeoutIsRetried(t *testing.T) {
	t.Parallel()
	inBubble(t, timeoutIsRetried)
}

func timeoutIsRetried(t *testing.T) {
	var n atomic.Int64
	s, c := connectInBubble(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		if n.Add(1) == 1 {
			return llmtest.Reply{Delay: time.Minute}
		}
		return llmtest.Reply{Text: "late"}
	}}, openai.Config{Timeout: 200 * time.Millisecond})
	chat := llm.New(llm.Config{Provider: c.Chat(), Retry: quick})
	if res := mustAsk(t, chat, ask("q")); res.Text != "late" || s.Counts().Requests != 2 {
		t.Errorf("answer %q after %d requests", res.Text, s.Counts().Requests)
	}
	// The caller's own deadline is not a reason to try again.
	n.Store(0)
	s.Reset()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := chat.Chat(ctx, ask("r")); !errors.Is(err, context.DeadlineExceeded) || s.Counts().Requests != 1 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

// A stream that breaks is retried only if nothing of it was delivered.
func TestBrokenStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		fault    llmtest.Reply
		requests int
		text     string
	}{
		{"refused", llmtest.Reply{Status: 500}, 2, "a whole answer"},
		{"reset half way", llmtest.Reply{Text: "half an answer", Reset: true}, 1, "half"},
		{"ended half way", llmtest.Reply{Text: "half an answer", Cut: true}, 1, "half"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "a whole answer"} }}, llm.Config{})
			s.Enqueue(c.fault)
			var shown strings.Builder
			req := ask("q")
			req.Stream = func(delta string) { shown.WriteString(delta) }
			_, err := chat.Chat(context.Background(), req)
			if got := s.Counts().Requests; got != c.requests || (err == nil) != (c.requests == 2) {
				t.Errorf("%d requests, want %d; error %v", got, c.requests, err)
			}
			if got := shown.String(); !strings.HasPrefix(got, c.text) || len(got) > len("a whole answer") {
				t.Errorf("shown %q", got)
			}
		})
	}
}
