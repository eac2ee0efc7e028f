package neo4jstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// TestEndedLease: who ends the lease of a holder that lives after all cannot
// make two write: the holder's next write fails. Who is late ends nothing.
func TestEndedLease(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	take := func(owner string, fn func(context.Context, *neo4jstore.Writer) error) error {
		return s.WithWriter(t.Context(), corpus, owner, time.Minute, fn)
	}
	nothing := func(context.Context, *neo4jstore.Writer) error { return nil }
	note := func(ctx context.Context, l *neo4jstore.Writer, what string) error {
		return l.SetSettings(ctx, map[string]string{"extract": what}, neo4jstore.CorpusSet{})
	}
	err := take("first", func(ctx context.Context, first *neo4jstore.Writer) error {
		err := take("second", nothing)
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok || !errors.Is(err, neo4jstore.ErrLeased) || leased.Holder != "first" || leased.Corpus != corpus || time.Until(leased.Until) < 10*time.Second {
			t.Errorf("the lease is held: %v (%+v)", err, leased)
			return nil
		}
		if err := s.EndLease(ctx, leased); err != nil {
			return err
		}
		return take("second", func(ctx context.Context, second *neo4jstore.Writer) error {
			if err := s.EndLease(ctx, leased); err != nil {
				t.Error(err)
			}
			if err := note(ctx, second, "second"); err != nil {
				t.Errorf("the new holder, after the old lease was ended twice: %v", err)
			}
			err := note(ctx, first, "first")
			if !errors.Is(err, neo4jstore.ErrLeaseLost) {
				t.Errorf("the old holder's write: %v, want ErrLeaseLost", err)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := take("third", nothing); err != nil {
		t.Errorf("after both gave it back: %v", err)
	}
}
