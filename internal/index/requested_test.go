package index_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestRunRequested runs what is requested: a run that fails or panics tells others why, one that is interrupted leaves its
// request, and one that writes under the lease ends it.
func TestRunRequested(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, docs := corpus(t, store), folder(t, town())
	lease := func() neo4jstore.Lease {
		t.Helper()
		l, err := store.Lease(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	request := func() {
		t.Helper()
		if err := store.RequestRun(t.Context(), name, true); err != nil {
			t.Fatal(err)
		}
	}
	requested := func(ctx context.Context, run func(context.Context, index.Options) error) error {
		return index.RunRequested(ctx, store, options(name), error.Error, run)
	}
	indexDocs := func(ctx context.Context, o index.Options) error {
		if !o.AllowRedo {
			t.Error("a confirmed request does not set AllowRedo")
		}
		if err := requested(ctx, nil); !errors.Is(err, neo4jstore.ErrLeased) {
			t.Errorf("a second run: %v, want ErrLeased without a wait", err)
		}
		x, err := index.New(store, o)
		if err == nil {
			_, err = x.Run(ctx, []string{docs})
		}
		return err
	}
	if err := requested(t.Context(), indexDocs); !errors.Is(err, neo4jstore.ErrNotRequested) {
		t.Errorf("without a request: %v", err)
	}
	request()
	failed := errors.New("no room")
	if err := requested(t.Context(), func(context.Context, index.Options) error { return failed }); !errors.Is(err, failed) || lease() != (neo4jstore.Lease{Failure: "no room"}) {
		t.Errorf("a run that fails: %v, %+v", err, lease())
	}
	request()
	if err := requested(t.Context(), func(context.Context, index.Options) error { panic("lost") }); err == nil || lease().Requested || !strings.Contains(lease().Failure, "lost") {
		t.Errorf("a run that panics: %v, %+v", err, lease())
	}
	request()
	ctx, cancel := context.WithCancel(t.Context())
	interrupted := func(ctx context.Context, _ index.Options) error {
		cancel()
		return ctx.Err()
	}
	if err := requested(ctx, interrupted); !errors.Is(err, context.Canceled) || lease() != (neo4jstore.Lease{Requested: true}) {
		t.Errorf("an interrupted run: %v, %+v", err, lease())
	}
	if err := requested(t.Context(), indexDocs); err != nil || lease() != (neo4jstore.Lease{}) {
		t.Errorf("a run: %v, %+v", err, lease())
	}
	if r := run(t, store, options(name), docs); r.Writes != 0 {
		t.Errorf("the run left work: %d writes", r.Writes)
	}
}
