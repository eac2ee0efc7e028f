package index_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/faulttest"
)

// TestModelKilled kills runs after transactions and at model calls. The next run makes the
// same graph and repeats no call that was answered, because the cache has the answers.
func TestModelKilled(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	whole := modelCorpus(t)
	server, with := model(t, llmtest.Options{}, t.TempDir())
	count := &killer{left: 1 << 30}
	run(t, open(t, count.fault), with(options(whole)), docs)
	calls := server.Counts().Requests
	want := dump(t, store, whole, "")
	for _, at := range []struct {
		name      string
		n, sample int
		kill      func(t *testing.T, name, docs string, n int) (with func(index.Options) index.Options, server *llmtest.Server, err error)
	}{
		{"transaction", count.seen, 1, killAfterTransaction},
		{"call", calls, 1, killAtCall},
	} {
		for _, place := range faulttest.Points(t, at.n, at.sample) {
			t.Run(at.name+" "+strconv.Itoa(place), func(t *testing.T) {
				t.Parallel()
				faulttest.AtOrBefore(t, place, func(n int) bool {
					name := modelCorpus(t)
					with, server, err := at.kill(t, name, docs, n)
					if err == nil {
						return false
					}
					if !errors.Is(err, errKilled) {
						t.Fatalf("killed run: got %v, want %v", err, errKilled)
					}
					run(t, store, with(options(name)), docs)
					same(t, want, dump(t, store, name, ""))
					// 8 calls of the chat model and 8 of the embedding model may be in flight.
					if got := server.Counts().Requests; got > calls+16 {
						t.Errorf("%d calls, %d without a kill: want at most 16 more, those in flight", got, calls)
					}
					if idle := run(t, store, with(options(name)), docs); idle.Writes != 0 {
						t.Errorf("the run after it wrote %d times, want none", idle.Writes)
					}
					return true
				})
			})
		}
	}
}

func killAfterTransaction(t *testing.T, name, docs string, n int) (func(index.Options) index.Options, *llmtest.Server, error) {
	t.Helper()
	server, with := model(t, llmtest.Options{}, t.TempDir())
	k := &killer{left: n - 1}
	_, err := try(t, open(t, k.fault), with(options(name)), docs)
	return with, server, err
}

// killAtCall makes every write fail from call n on.
func killAtCall(t *testing.T, name, docs string, n int) (func(index.Options) index.Options, *llmtest.Server, error) {
	t.Helper()
	ctx, kill := context.WithCancelCause(t.Context())
	defer kill(nil)
	server, with := model(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
		if r.N == n {
			kill(errKilled)
		}
		return nil
	}}, t.TempDir())
	x, err := index.New(open(t, nil), with(options(name)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Run(ctx, []string{docs})
	if err != nil && errors.Is(context.Cause(ctx), errKilled) {
		err = errKilled // the driver's error is only a text
	}
	return with, server, err
}
