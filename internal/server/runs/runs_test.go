package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A recorder is an index whose runs last until they are told to end.
type recorder struct {
	mu      sync.Mutex
	started []string // corpus, and time since the recorder was made
	begin   time.Time
	length  time.Duration
	result  Result
	err     error
}

func (r *recorder) index(ctx context.Context, q Request, progress func(Progress)) (Result, error) {
	r.mu.Lock()
	r.started = append(r.started, fmt.Sprintf("%s at %v confirm %t", q.Corpus, time.Since(r.begin), q.Confirm))
	r.mu.Unlock()
	progress(Progress{Stage: "extract", Total: 2, Calls: 1})
	select {
	case <-ctx.Done():
		return Result{}, ctx.Err()
	case <-time.After(r.length):
	}
	progress(Progress{Stage: "extract", Done: 2, Total: 2, Ended: true, Calls: 3})
	return r.result, r.err
}

// serving calls do while runs are served, and waits for their end.
func serving(t *testing.T, rec *recorder, do func(r *Runs)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rec.begin = time.Now()
		r := New(Options{Index: rec.index})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Serve(ctx); close(done) }()
		do(r)
		cancel()
		<-done
	})
}

// TestRequestsAreJoined requests runs while files arrive: one run follows the last request, and a request during a run
// is followed by another one.
func TestRequestsAreJoined(t *testing.T) {
	rec := &recorder{length: 10 * time.Second}
	serving(t, rec, func(r *Runs) {
		for range 3 {
			r.Request(Request{Corpus: "a"})
			time.Sleep(time.Second)
		}
		if s := r.State("a").State; s != Waiting {
			t.Errorf("state %s, want waiting", s)
		}
		time.Sleep(2 * time.Second) // the run has begun at 4 s
		if s := r.State("a"); s.State != Running || s.Calls != 1 {
			t.Errorf("state %+v, want running after a call", s)
		}
		r.Request(Request{Corpus: "a", Confirm: true})
		time.Sleep(15 * time.Second)
		if s := r.State("a").State; s != Running {
			t.Errorf("state %s, want running again", s)
		}
		time.Sleep(time.Minute)
		if s := r.State("a"); s.State != Idle || s.Stages[0].Done != 2 {
			t.Errorf("state %+v, want idle with the stages of the last run", s)
		}
	})
	if diff := cmp.Diff([]string{"a at 4s confirm false", "a at 14s confirm true"}, rec.started); diff != "" {
		t.Error(diff)
	}
}

// TestAFewRunsAtTheSameTime requests runs of more corpora than may run.
func TestAFewRunsAtTheSameTime(t *testing.T) {
	rec := &recorder{length: 10 * time.Second}
	serving(t, rec, func(r *Runs) {
		for _, corpus := range []string{"d", "b", "c", "a"} {
			r.Request(Request{Corpus: corpus})
		}
		time.Sleep(time.Minute)
	})
	slices.Sort(rec.started)
	want := []string{"a at 2s confirm false", "b at 2s confirm false", "c at 12s confirm false", "d at 12s confirm false"}
	if diff := cmp.Diff(want, rec.started); diff != "" {
		t.Error(diff)
	}
}

// TestCancel cancels a request, and a run.
func TestCancel(t *testing.T) {
	rec := &recorder{length: time.Hour}
	serving(t, rec, func(r *Runs) {
		r.Request(Request{Corpus: "a"})
		if !r.Cancel("a") || r.State("a").State != Idle {
			t.Errorf("a request is not cancelled: %+v", r.State("a"))
		}
		time.Sleep(time.Minute)
		if len(rec.started) != 0 || r.Cancel("a") {
			t.Errorf("a cancelled request started %v", rec.started)
		}
		r.Request(Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if !r.Cancel("a") {
			t.Error("no run to cancel")
		}
		synctest.Wait()
		if s := r.State("a"); s.State != Idle || s.Message != "" || len(s.Notes) != 1 || s.Calls != 1 {
			t.Errorf("after the end of the run: %+v", s)
		}
	})
}

// TestFailedRun shows why a run failed, until the next one begins.
func TestFailedRun(t *testing.T) {
	rec := &recorder{err: errors.New("no room")}
	serving(t, rec, func(r *Runs) {
		r.Request(Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if s := r.State("a"); s.State != Failed || s.Message != "no room" || s.Calls != 3 {
			t.Errorf("%+v", s)
		}
		rec.err, rec.result = nil, Result{Failed: []Failure{{"a.pdf", "broken"}}, Calls: 5, Notes: []string{"a note"}}
		r.Request(Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if s := r.State("a"); s.State != Idle || s.Message != "" || len(s.Failed) != 1 || s.Calls != 5 {
			t.Errorf("%+v", s)
		}
	})
}

// TestServeWaitsForRuns ends the server while a run is under way: it is told to end, and waited for.
func TestServeWaitsForRuns(t *testing.T) {
	rec := &recorder{length: time.Hour}
	var left *Runs
	serving(t, rec, func(r *Runs) {
		left = r
		r.Request(Request{Corpus: "a"})
		time.Sleep(time.Minute)
	})
	if s := left.State("a"); s.State != Failed {
		t.Errorf("after the end: %+v", s)
	}
}
