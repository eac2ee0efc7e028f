package runs_test

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

	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/servertest"
)

// A recorder is an index whose runs last until they are told to end.
type recorder struct {
	mu      sync.Mutex
	started []string // corpus, and time since the recorder was made
	begin   time.Time
	length  time.Duration
	result  runs.Result
	err     error
}

func (r *recorder) index(ctx context.Context, q runs.Request, progress func(runs.Progress)) (runs.Result, error) {
	r.mu.Lock()
	r.started = append(r.started, fmt.Sprintf("%s at %v confirm %t", q.Corpus, time.Since(r.begin), q.Confirm))
	r.mu.Unlock()
	progress(runs.Progress{Stage: "extract", Total: 2, Calls: 1})
	select {
	case <-ctx.Done():
		return runs.Result{}, ctx.Err()
	case <-time.After(r.length):
	}
	progress(runs.Progress{Stage: "extract", Done: 2, Total: 2, Ended: true, Calls: 3})
	return r.result, r.err
}

// serving calls do while runs are served, and waits for their end.
func serving(t *testing.T, rec *recorder, do func(r *runs.Runs)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rec.begin = time.Now()
		queue := servertest.NewQueue()
		r := runs.New(runs.Options{Queue: queue, Index: queue.Index(rec.index)})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Serve(ctx); close(done) }()
		do(r)
		cancel()
		<-done
	})
}

func ask(t *testing.T, r *runs.Runs, q runs.Request) {
	t.Helper()
	if err := r.Request(t.Context(), q); err != nil {
		t.Error(err)
	}
}

// state returns the state of the corpus a.
func state(t *testing.T, r *runs.Runs) runs.State {
	t.Helper()
	s, err := r.State(context.WithoutCancel(t.Context()), "a")
	if err != nil {
		t.Error(err)
	}
	return s
}

// TestRequestsAreJoined requests runs while files arrive: one run follows the last request, and a request during a run
// is followed by another one.
func TestRequestsAreJoined(t *testing.T) {
	rec := &recorder{length: 10 * time.Second}
	serving(t, rec, func(r *runs.Runs) {
		for range 3 {
			ask(t, r, runs.Request{Corpus: "a"})
			time.Sleep(time.Second)
		}
		if s := state(t, r).State; s != runs.Waiting {
			t.Errorf("state %s, want waiting", s)
		}
		time.Sleep(2 * time.Second) // the run has begun at 4 s
		if s := state(t, r); s.State != runs.Running || s.Calls != 1 {
			t.Errorf("state %+v, want running after a call", s)
		}
		ask(t, r, runs.Request{Corpus: "a", Confirm: true})
		time.Sleep(15 * time.Second)
		if s := state(t, r).State; s != runs.Running {
			t.Errorf("state %s, want running again", s)
		}
		time.Sleep(time.Minute)
		if s := state(t, r); s.State != runs.Idle || s.Stages[0].Done != 2 {
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
	serving(t, rec, func(r *runs.Runs) {
		for _, corpus := range []string{"d", "b", "c", "a"} {
			ask(t, r, runs.Request{Corpus: corpus})
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
	serving(t, rec, func(r *runs.Runs) {
		ask(t, r, runs.Request{Corpus: "a"})
		if err := r.Cancel(t.Context(), "a"); err != nil || state(t, r).State != runs.Idle {
			t.Errorf("a request is not cancelled: %+v, %v", state(t, r), err)
		}
		time.Sleep(time.Minute)
		if len(rec.started) != 0 {
			t.Errorf("a cancelled request started %v", rec.started)
		}
		ask(t, r, runs.Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if err := r.Cancel(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s := state(t, r); s.State != runs.Idle || s.Message != "" || len(s.Notes) != 1 || s.Calls != 1 {
			t.Errorf("after the end of the run: %+v", s)
		}
	})
}

// TestFailedRun shows why a run failed, until the next one begins.
func TestFailedRun(t *testing.T) {
	rec := &recorder{err: errors.New("no room")}
	serving(t, rec, func(r *runs.Runs) {
		ask(t, r, runs.Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if s := state(t, r); s.State != runs.Failed || s.Message != "no room" || s.Calls != 3 {
			t.Errorf("%+v", s)
		}
		rec.err, rec.result = nil, runs.Result{Failed: []runs.Failure{{"a.pdf", "broken"}}, Calls: 5, Notes: []string{"a note"}}
		ask(t, r, runs.Request{Corpus: "a"})
		time.Sleep(time.Minute)
		if s := state(t, r); s.State != runs.Idle || s.Message != "" || len(s.Failed) != 1 || s.Calls != 5 {
			t.Errorf("%+v", s)
		}
	})
}

// TestServeWaitsForRuns ends the server while a run is under way: it is told to end, and waited for. The request
// waits for another process.
func TestServeWaitsForRuns(t *testing.T) {
	rec := &recorder{length: time.Hour}
	var left *runs.Runs
	serving(t, rec, func(r *runs.Runs) {
		left = r
		ask(t, r, runs.Request{Corpus: "a"})
		time.Sleep(time.Minute)
	})
	if s := state(t, left); s.State != runs.Waiting {
		t.Errorf("after the end: %+v", s)
	}
}
