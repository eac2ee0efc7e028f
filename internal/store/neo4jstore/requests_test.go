package neo4jstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestProgressIsRenewed has a run tell its progress often: only renewals of the lease store it, and its end removes it.
func TestProgressIsRenewed(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	relay := neo4jtest.NewRelay(t, conn)
	through, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: relay.URI(), Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = through.Close(context.WithoutCancel(t.Context())) })
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	want := neo4jstore.Progress{Stage: "extract", Done: 999, Total: 1000, Calls: 12}
	tell := func(w *neo4jstore.Writer) {
		for i := range 1000 {
			w.WithCounters().SetProgress(neo4jstore.Progress{Stage: "extract", Done: i, Total: 1000, Calls: 12})
		}
	}
	err = through.WithWriter(t.Context(), corpus, "a [1]", time.Hour, func(ctx context.Context, w *neo4jstore.Writer) error {
		tell(w)
		l, err := s.Lease(ctx, corpus)
		if l.Owner != "a [1]" || l.Holder() != "a" || l.Progress != (neo4jstore.Progress{}) || relay.Received("l.renewed = now, l.progress") != 0 {
			t.Errorf("lease %+v before a renewal", l)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.WithWriter(t.Context(), corpus, "b", 300*time.Millisecond, func(ctx context.Context, w *neo4jstore.Writer) error {
		tell(w)
		for {
			if l, err := s.Lease(ctx, corpus); err != nil || l.Progress != (neo4jstore.Progress{}) {
				if diff := cmp.Diff(want, l.Progress); diff != "" {
					t.Error(diff)
				}
				return err
			}
		}
	})
	if l, readErr := s.Lease(t.Context(), corpus); err != nil || readErr != nil || l != (neo4jstore.Lease{}) {
		t.Errorf("lease %+v after the run, %v, %v", l, err, readErr)
	}
}

// TestRequestedRuns requests, starts, ends, fails and cancels runs.
func TestRequestedRuns(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	request := func(confirm bool) {
		t.Helper()
		if err := s.RequestRun(t.Context(), corpus, confirm); err != nil {
			t.Fatal(err)
		}
	}
	requested := func(quiet time.Duration, ended func(string) bool) (found bool) {
		t.Helper()
		all, err := s.RequestedRuns(t.Context(), quiet, ended)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range all {
			found = found || name == corpus
		}
		return found
	}
	hold := func(do func(ctx context.Context, w *neo4jstore.Writer) error) error {
		return s.WithWriter(t.Context(), corpus, "holder", time.Minute, do)
	}
	start := func(ctx context.Context, w *neo4jstore.Writer, want bool) {
		t.Helper()
		if confirmed, err := w.StartRun(ctx); err != nil || confirmed != want {
			t.Errorf("started with confirmed %t, %v, want %t", confirmed, err, want)
		}
	}
	request(true)
	request(false)
	if !requested(0, nil) || requested(time.Hour, nil) {
		t.Error("a request is not found after its quiet time only")
	}
	dead := errors.New("dead")
	err := hold(func(ctx context.Context, w *neo4jstore.Writer) error {
		start(ctx, w, true)
		if requested(0, nil) || !requested(0, func(owner string) bool { return owner == "holder" }) {
			t.Error("a request is offered while a living process runs it, or not if it is dead")
		}
		return dead
	})
	if !errors.Is(err, dead) || !requested(0, nil) {
		t.Errorf("%v; the request of a run that did not end is gone", err)
	}
	err = hold(func(ctx context.Context, w *neo4jstore.Writer) error {
		start(ctx, w, true)
		request(false)
		return w.EndRun(ctx, "no room")
	})
	if err != nil || !requested(0, nil) {
		t.Errorf("%v; a request during a run is gone", err)
	}
	err = hold(func(ctx context.Context, w *neo4jstore.Writer) error {
		start(ctx, w, false)
		return w.EndRun(ctx, "no room")
	})
	if l, readErr := s.Lease(t.Context(), corpus); err != nil || readErr != nil || l != (neo4jstore.Lease{Failure: "no room"}) {
		t.Errorf("lease %+v of a run that failed, %v, %v", l, err, readErr)
	}
	err = hold(func(ctx context.Context, w *neo4jstore.Writer) error {
		_, err := w.StartRun(ctx)
		return err
	})
	if !errors.Is(err, neo4jstore.ErrNotRequested) {
		t.Errorf("a run that is not requested: %v", err)
	}
	request(true)
	err = s.WithWriter(t.Context(), corpus, "holder", 300*time.Millisecond, func(ctx context.Context, w *neo4jstore.Writer) error {
		start(ctx, w, true)
		if err := s.CancelRun(ctx, corpus); err != nil {
			return err
		}
		<-ctx.Done()
		if why := neo4jstore.EndedBy(ctx, ctx.Err()); !errors.Is(why, neo4jstore.ErrCancelled) {
			t.Errorf("what a run can log: %v", why)
		}
		return ctx.Err()
	})
	if !errors.Is(err, neo4jstore.ErrCancelled) || requested(0, nil) {
		t.Errorf("a cancelled run: %v", err)
	}
}
