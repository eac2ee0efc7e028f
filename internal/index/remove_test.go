package index

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestRemoveTakesOver checks that Remove takes over the lease of a dead process, and
// fails with ErrLeased for one that is renewed.
func TestRemoveTakesOver(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	gone := sleeper(t)
	_, started := processState(gone.Process.Pid)
	if err := gone.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = gone.Wait()
	for holder, want := range map[string]error{leaseOwnerOf(gone.Process.Pid, machineID(), started): nil, leaseOwnerName("a run"): neo4jstore.ErrLeased, "somebody": neo4jstore.ErrLeased} {
		t.Run(holder, func(t *testing.T) {
			t.Parallel()
			corpus := neo4jtest.Corpus(t)
			err := store.WithWriter(t.Context(), corpus, holder, time.Minute, func(ctx context.Context, _ *neo4jstore.Writer) error {
				if _, err := Remove(ctx, store, corpus); !errors.Is(err, want) {
					t.Errorf("got %v, want %v", err, want)
				}
				return nil
			})
			if err != nil && want != nil {
				t.Error(err)
			}
		})
	}
}

// TestRemoveWaits checks that Remove waits for a run that ends soon.
func TestRemoveWaits(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	corpus := neo4jtest.Corpus(t)
	removed := make(chan error, 1)
	err = store.WithWriter(t.Context(), corpus, "somebody", time.Minute, func(context.Context, *neo4jstore.Writer) error {
		go func() {
			_, err := Remove(t.Context(), store, corpus)
			removed <- err
		}()
		time.Sleep(2 * time.Second)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-removed; err != nil {
		t.Errorf("during a run that ended: %v", err)
	}
}
