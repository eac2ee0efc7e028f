package llm

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSpreadChooses gives calls to servers of which some are busy, fail or ask to wait.
func TestSpreadChooses(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	small, large := NewLimiter(Limits{Concurrent: 2}), NewLimiter(Limits{Concurrent: 4})
	s := newSpread(small, large)
	s.now = func() time.Time { return now }
	choose := func(n int) (chosen []int) {
		for range n {
			chosen = append(chosen, s.choose())
		}
		return chosen
	}
	end := func(at int, err error) error { return s.ended(t.Context(), at, err) }
	if diff := cmp.Diff([]int{0, 1, 1, 0, 1, 1}, choose(6)); diff != "" {
		t.Errorf("by the share of the slots (-want +got):\n%s", diff)
	}
	for _, at := range []int{0, 0, 1, 1, 1, 1} {
		_ = end(at, nil)
	}
	failed := &Error{Status: http.StatusInternalServerError, Retryable: true, RetryAfter: time.Hour}
	for range maxServerFailures {
		s.routes[0].calls++
		if err := end(0, failed); err.(*Error).RetryAfter != 0 { //nolint:errorlint // returned as it is
			t.Errorf("the call waits although another server is ready: %+v", err)
		}
	}
	if diff := cmp.Diff([]int{1, 1, 1}, choose(3)); diff != "" {
		t.Errorf("after failures of the first server (-want +got):\n%s", diff)
	}
	s.routes[1].calls = 0
	if err := end(s.choose(), &Error{Retryable: true, RetryAfter: time.Second}); err.(*Error).RetryAfter != time.Second { //nolint:errorlint // as above
		t.Errorf("no server is ready, and the error is %+v", err)
	}
	if got := choose(1); got[0] != 0 {
		t.Errorf("all are paused, and server %d gets the call whose pause ends last", got[0])
	}
	now = now.Add(firstPause)
	_ = end(0, failed)
	if want := now.Add(2 * firstPause); !s.routes[0].until.Equal(want) {
		t.Errorf("the second pause ends at %s, want %s", s.routes[0].until, want)
	}
	s.routes[0].calls++
	if err := end(0, nil); err != nil || s.routes[0].failures != 0 || s.routes[0].pause != 0 {
		t.Errorf("after a success: %v, %+v", err, s.routes[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.routes[1].calls++
	if _ = s.ended(ctx, 1, &Error{Retryable: true}); s.routes[1].failures > maxServerFailures {
		t.Errorf("a cancelled call counts as a failure: %+v", s.routes[1])
	}
}
