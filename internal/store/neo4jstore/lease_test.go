package neo4jstore_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestLeaseHasOneHolder(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	var holders, held, refused atomic.Int32
	var racers sync.WaitGroup
	for _, owner := range []string{"a", "b", "c", "d"} {
		racers.Go(func() {
			for range 8 {
				err := s.WithWriter(t.Context(), corpus, owner, time.Minute, func(context.Context, *neo4jstore.Writer) error {
					if holders.Add(1) > 1 {
						t.Error("two holders of the lease")
					}
					time.Sleep(2 * time.Millisecond)
					held.Add(1)
					holders.Add(-1)
					return nil
				})
				switch {
				case errors.Is(err, neo4jstore.ErrLeased):
					refused.Add(1)
				case err != nil:
					t.Error(err)
				}
			}
		})
	}
	racers.Wait()
	if held.Load() == 0 || held.Load()+refused.Load() != 32 {
		t.Errorf("held %d times, refused %d times", held.Load(), refused.Load())
	}
}

func TestLeaseNamesItsHolder(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	withWriter(t, s, corpus, func(ctx context.Context, _ *neo4jstore.Writer) error {
		err := s.WithWriter(ctx, corpus, "other", 0, func(context.Context, *neo4jstore.Writer) error { return nil })
		if !errors.Is(err, neo4jstore.ErrLeased) || !strings.Contains(err.Error(), "test "+t.Name()) {
			t.Errorf("second writer: %v, want ErrLeased and the name of the holder", err)
		}
		return nil
	})
}

func TestExpiredLeaseIsTaken(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	query(t, "MERGE (l:Lease {key: $c}) SET l.owner = 'dead', l.token = 7, l.until = timestamp() - 1", map[string]any{"c": corpus})
	withWriter(t, s, corpus, func(context.Context, *neo4jstore.Writer) error { return nil })
	if n := number(t, "MATCH (l:Lease {key: $c}) WHERE l.until IS NULL AND l.owner IS NULL RETURN l.token", map[string]any{"c": corpus}); n != 8 {
		t.Errorf("token = %d, want 8 and no holder", n)
	}
}

// A writer that was suspended until another took the lease over cannot write.
func TestStalledWriterIsFenced(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	err := s.WithWriter(t.Context(), corpus, "stalled", 3*time.Second, func(ctx context.Context, writer *neo4jstore.Writer) error {
		query(t, "MATCH (l:Lease {key: $c}) SET l.owner = 'other', l.token = l.token + 1, l.until = timestamp() + 60000", map[string]any{"c": corpus})
		if err := writer.SetSettings(ctx, map[string]string{"extract": "x"}, neo4jstore.CorpusSet{}); !errors.Is(err, neo4jstore.ErrLeaseLost) {
			t.Errorf("write after the lease was lost: %v, want ErrLeaseLost", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Second):
			t.Error("the context was not cancelled")
		}
		if cause := context.Cause(ctx); !errors.Is(cause, neo4jstore.ErrLeaseLost) {
			t.Errorf("cause %v, want ErrLeaseLost", cause)
		}
		return ctx.Err()
	})
	if !errors.Is(err, neo4jstore.ErrLeaseLost) {
		t.Errorf("WithWriter: %v, want ErrLeaseLost", err)
	}
	c, err := s.Corpus(t.Context(), corpus)
	if err != nil || len(c.Settings) > 0 {
		t.Errorf("settings %v, %v: the fenced write was committed", c.Settings, err)
	}
	if n := number(t, "MATCH (l:Lease {key: $c}) WHERE l.owner = 'other' SET l.until = 0 RETURN count(*)", map[string]any{"c": corpus}); n != 1 {
		t.Error("the release removed the lease of the other writer")
	}
}

func TestLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	until := func() int64 {
		return number(t, "MATCH (l:Lease {key: $c}) RETURN l.until", map[string]any{"c": corpus})
	}
	err := s.WithWriter(t.Context(), corpus, "long", 6*time.Second, func(ctx context.Context, _ *neo4jstore.Writer) error {
		first := until()
		for begin := time.Now(); until() == first; time.Sleep(20 * time.Millisecond) {
			if time.Since(begin) > 30*time.Second {
				t.Error("a lease of six seconds is not renewed")
				break
			}
		}
		return ctx.Err()
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLeaseIsReleased(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	for name, fn := range map[string]func(context.CancelFunc) error{
		"cancelled": func(cancel context.CancelFunc) error { cancel(); return context.Canceled },
		"failed":    func(context.CancelFunc) error { return errKilled },
		"panicked":  func(context.CancelFunc) error { panic("oh") },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.WithWriter(ctx, corpus, name, 0, func(context.Context, *neo4jstore.Writer) error { return fn(cancel) })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		withWriter(t, s, corpus, func(context.Context, *neo4jstore.Writer) error { return nil })
		cancel()
	}
}

// TestDroppedLeaseIsNotLost drops leases that are renewed every few milliseconds, while the
// answers to commits are lost: a renewal must not find the lease gone.
func TestDroppedLeaseIsNotLost(t *testing.T) {
	t.Parallel()
	s := openLossy(t)
	corpus := newCorpus(t, open(t, nil), 0) + "_lease"
	for range 20 {
		err := s.WithWriter(t.Context(), corpus, "owner", 15*time.Millisecond, func(_ context.Context, w *neo4jstore.Writer) error {
			time.Sleep(10 * time.Millisecond)
			w.DropLease()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := number(t, "MATCH (l:Lease {key: $c}) RETURN count(l)", map[string]any{"c": corpus}); n != 0 || s.relay.Injected() == 0 {
		t.Errorf("%d leases are left after %d lost answers", n, s.relay.Injected())
	}
}

// Ending the lease of a holder that is still alive does not allow two writers: the next
// write of the holder fails. A late EndLease does nothing.
func TestEndLease(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	take := func(owner string, fn func(context.Context, *neo4jstore.Writer) error) error {
		return s.WithWriter(t.Context(), corpus, owner, time.Minute, fn)
	}
	nothing := func(context.Context, *neo4jstore.Writer) error { return nil }
	note := func(ctx context.Context, writer *neo4jstore.Writer, what string) error {
		return writer.SetSettings(ctx, map[string]string{"extract": what}, neo4jstore.CorpusSet{})
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
		t.Errorf("after both released it: %v", err)
	}
}

// A writer that was suspended until another process took the lease over creates and drops
// nothing: neither the corpus nor an index, not even when the lease is lost while its
// transaction runs.
func TestStalledWriterKeepsTheSchema(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	stalled, other := open(t, nil), open(t, nil)
	corpus := neo4jtest.BorrowAs(t, strconv.Itoa(dimension), "changed")
	if err := errors.Join(other.EnsureSchema(t.Context()), other.EnsureCorpus(t.Context(), corpus, dimension)); err != nil {
		t.Fatal(err)
	}
	take := func(owner string, s *neo4jstore.Store, fn func(context.Context, *neo4jstore.Writer) error) error {
		return s.WithWriter(t.Context(), corpus, owner, time.Minute, fn)
	}
	states := func() []string {
		var all []string
		for _, row := range query(t, "SHOW INDEXES YIELD name, options WHERE name ENDS WITH $end RETURN name + ' ' + toString(coalesce(options.indexConfig.`vector.dimensions`, 0)) AS x ORDER BY x", map[string]any{"end": "_" + corpus}) {
			all = append(all, row["x"].(string))
		}
		return all
	}
	for _, work := range []struct {
		name   string
		before func(context.Context, *neo4jstore.Writer) error // of the other process
		do     func(context.Context, *neo4jstore.Writer) error
	}{
		{"change of dimension", nil, func(ctx context.Context, w *neo4jstore.Writer) error {
			return w.EnsureIndexes(ctx, neo4jstore.Vectors{Dimension: dimension + 1})
		}},
		{"removal", nil, func(ctx context.Context, w *neo4jstore.Writer) error { return w.Drop(ctx) }},
		{"creation", func(ctx context.Context, w *neo4jstore.Writer) error { return w.Drop(ctx) }, func(ctx context.Context, w *neo4jstore.Writer) error {
			return w.CreateCorpus(ctx)
		}},
	} {
		err := take("stalled", stalled, func(ctx context.Context, w *neo4jstore.Writer) error {
			leased, ok := errors.AsType[*neo4jstore.LeasedError](take("other", other, nil))
			if !ok {
				t.Fatal("the lease is not held")
			}
			if err := other.EndLease(ctx, leased); err != nil {
				return err
			}
			return take("other", other, func(_ context.Context, o *neo4jstore.Writer) error {
				if work.before != nil {
					if err := work.before(t.Context(), o); err != nil {
						return err
					}
				}
				before := states()
				if err := work.do(ctx, w); !errors.Is(err, neo4jstore.ErrLeaseLost) {
					t.Errorf("%s: got %v, want ErrLeaseLost", work.name, err)
				}
				if diff := cmp.Diff(before, states()); diff != "" {
					t.Errorf("%s: indexes (-before +after):\n%s", work.name, diff)
				}
				_, err := other.Corpus(t.Context(), corpus)
				if gone := errors.Is(err, neo4jstore.ErrNoCorpus); gone != (work.before != nil) {
					t.Errorf("%s: the corpus: %v", work.name, err)
				}
				return nil
			})
		})
		if err != nil && !errors.Is(err, neo4jstore.ErrLeaseLost) {
			t.Errorf("%s: %v", work.name, err)
		}
	}
}
