package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// many asks n different questions from concurrent workers, and returns the errors.
func many(chat llm.Chat, n, workers int, name string) []error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	work := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range work {
				if _, err := chat.Chat(context.Background(), ask(fmt.Sprint(name, i))); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	wg.Wait()
	return errs
}

// n calls with a latency, at of them concurrently, take n*latency/at.
func TestCallsKeepTheServerBusy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, at   int
		latency time.Duration
	}{{96, 32, 250 * time.Millisecond}, {40, 4, 100 * time.Millisecond}} {
		inBubble(t, func(t *testing.T) {
			s, chat := chainInBubble(t, llmtest.Options{Latency: c.latency}, llm.Config{Limiter: llm.NewLimiter(llm.Limits{Concurrent: c.at})})
			start := time.Now()
			if errs := many(chat, c.n, 64, "q"); errs != nil {
				t.Fatal(errs)
			}
			if took, want := time.Since(start), c.latency*time.Duration(c.n/c.at); took != want {
				t.Errorf("%d calls, %d concurrently, took %v, want %v", c.n, c.at, took, want)
			}
			if peak := s.Counts().Peak; peak != c.at {
				t.Errorf("%d calls ran concurrently, want %d", peak, c.at)
			}
		})
	}
}

// A server that accepts 8 concurrent calls, called by 32 workers, refuses few calls
// after the start, and all are answered.
func TestServerOfLowConcurrency(t *testing.T) {
	t.Parallel()
	inBubble(t, serverOfLowConcurrency)
}

func serverOfLowConcurrency(t *testing.T) {
	s, chat := chainInBubble(t, llmtest.Options{Latency: 20 * time.Millisecond, MaxConcurrent: 8, RetryAfter: 50 * time.Millisecond}, llm.Config{})
	if errs := many(chat, 300, 32, "warm"); errs != nil {
		t.Fatal(errs)
	}
	early := s.Counts()
	s.Reset()
	start := time.Now()
	if errs := many(chat, 1000, 32, "q"); errs != nil {
		t.Fatal(errs)
	}
	took := time.Since(start)
	late := s.Counts()
	share := float64(late.Refusals) / float64(late.Requests)
	t.Logf("first 300: %d refusals; next 1000: %d (%.1f %%) in %v, ideal %v", early.Refusals, late.Refusals, 100*share, took, 1000/8*20*time.Millisecond)
	if share > 0.05 {
		t.Errorf("%.1f %% of calls are refused after the start, want below 5", 100*share)
	}
	if took > 1000/8*20*time.Millisecond*3/2 {
		t.Errorf("1000 calls took %v", took)
	}
}

// A server that refuses all calls for a while is not called for as long as it asks.
func TestServerThatRefusesAllForAWhile(t *testing.T) {
	t.Parallel()
	inBubble(t, serverThatRefusesAllForAWhile)
}

func serverThatRefusesAllForAWhile(t *testing.T) {
	var mu sync.Mutex
	var open time.Time
	s, chat := chainInBubble(t, llmtest.Options{Fault: func(llmtest.Request) *llmtest.Reply {
		mu.Lock()
		defer mu.Unlock()
		if open.IsZero() {
			open = time.Now().Add(500 * time.Millisecond)
		}
		if left := time.Until(open); left > 0 {
			return &llmtest.Reply{Status: http.StatusTooManyRequests, RetryAfter: left + 10*time.Millisecond}
		}
		return nil
	}}, llm.Config{})
	if errs := many(chat, 40, 32, "q"); errs != nil {
		t.Fatal(errs)
	}
	if c := s.Counts(); c.Requests > 40+2*32 {
		t.Errorf("%d requests for 40 questions", c.Requests)
	}
}

// Limits in the headers are obeyed from the second call on.
func TestRateLimitHeaders(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		h := http.Header{"X-Ratelimit-Limit-Requests": {"600"}, "X-Ratelimit-Remaining-Requests": {"0"}}
		_, chat := chainInBubble(t, llmtest.Options{Header: h}, llm.Config{})
		start := time.Now()
		for i := range 4 {
			mustAsk(t, chat, ask(strconv.Itoa(i)))
		}
		if took := time.Since(start); took < 300*time.Millisecond || took > 400*time.Millisecond {
			t.Errorf("4 calls at 600 a minute with none left took %v, want about 0.3 s", took)
		}
	})
}

// A call that waits for the rate limit does not delay calls in flight.
func TestWaitingForTheRateDelaysNoOther(t *testing.T) {
	t.Parallel()
	inBubble(t, waitingForTheRateDelaysNoOther)
}

func waitingForTheRateDelaysNoOther(t *testing.T) {
	begin := time.Now()
	answer := make(chan struct{})
	limiter := llm.NewLimiter(llm.Limits{RequestsPerMinute: 1})
	_, chat := chainInBubble(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		<-answer
		return llmtest.Reply{Text: "ok"}
	}}, llm.Config{Limiter: limiter})
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := chat.Chat(context.Background(), ask("first"))
		first <- err
	}()
	for limiter.Stats().Running < 1 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, err := chat.Chat(ctx, ask("second"))
		second <- err
	}()
	for limiter.Stats().Running < 2 {
		time.Sleep(time.Millisecond)
	}
	close(answer)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("the first call took %v: it waited with the second", took)
	}
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("the second call: got %v, want it to wait until it is cancelled", err)
	}
}
