package neo4jstore_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
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
						t.Error("two hold the lease")
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
	inLane(t, s, corpus, func(ctx context.Context, _ *neo4jstore.Writer) error {
		err := s.WithWriter(ctx, corpus, "other", 0, func(context.Context, *neo4jstore.Writer) error { return nil })
		if !errors.Is(err, neo4jstore.ErrLeased) || !strings.Contains(err.Error(), "test "+t.Name()) {
			t.Errorf("second lane: %v, want ErrLeased and the holder's name", err)
		}
		return nil
	})
}

func TestLeaseThatRanOutIsTaken(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	query(t, "MERGE (l:Lease {key: $c}) SET l.owner = 'dead', l.token = 7, l.until = timestamp() - 1", map[string]any{"c": corpus})
	inLane(t, s, corpus, func(context.Context, *neo4jstore.Writer) error { return nil })
	if n := number(t, "MATCH (l:Lease {key: $c}) WHERE l.until IS NULL AND l.owner IS NULL RETURN l.token", map[string]any{"c": corpus}); n != 8 {
		t.Errorf("token = %d, want 8 and no holder", n)
	}
}

// A writer that was suspended so long that another took the lease may not write.
func TestStalledWriterIsFenced(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	err := s.WithWriter(t.Context(), corpus, "stalled", 3*time.Second, func(ctx context.Context, l *neo4jstore.Writer) error {
		query(t, "MATCH (l:Lease {key: $c}) SET l.owner = 'other', l.token = l.token + 1, l.until = timestamp() + 60000", map[string]any{"c": corpus})
		if err := l.SetSettings(ctx, map[string]string{"extract": "x"}, neo4jstore.CorpusSet{}); !errors.Is(err, neo4jstore.ErrLeaseLost) {
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
		t.Errorf("WithLane: %v, want ErrLeaseLost", err)
	}
	c, err := s.Corpus(t.Context(), corpus)
	if err != nil || len(c.Settings) > 0 {
		t.Errorf("settings %v, %v: the fenced write went through", c.Settings, err)
	}
	if n := number(t, "MATCH (l:Lease {key: $c}) WHERE l.owner = 'other' SET l.until = 0 RETURN count(*)", map[string]any{"c": corpus}); n != 1 {
		t.Error("the release took the other's lease")
	}
}

func TestLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	err := s.WithWriter(t.Context(), corpus, "long", 2*time.Second, func(ctx context.Context, l *neo4jstore.Writer) error {
		time.Sleep(4 * time.Second)
		return l.SetSettings(ctx, map[string]string{"extract": "x"}, neo4jstore.CorpusSet{})
	})
	if err != nil {
		t.Errorf("a write after twice the lease's time: %v", err)
	}
}

func TestLeaseIsGivenBack(t *testing.T) {
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
		inLane(t, s, corpus, func(context.Context, *neo4jstore.Writer) error { return nil })
		cancel()
	}
}

// logged opens a store and collects its log.
func logged(t *testing.T, uri string) (*neo4jstore.Store, *syncBuffer) {
	var log syncBuffer
	return open(t, func(c *neo4jstore.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		if uri != "" {
			c.URI = uri
		}
	}), &log
}

type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// The lane holds a and waits for b; another transaction holds c and waits for
// a; with b free, the lane asks for c and closes the circle.
func TestDeadlockIsTriedAgain(t *testing.T) {
	t.Parallel()
	s, log := logged(t, "")
	corpus := newCorpus(t, s, dimension)
	keys := map[string]any{"a": graph.Key(corpus, "a"), "b": graph.Key(corpus, "b"), "c": graph.Key(corpus, "c"), "corpus": corpus}
	query(t, "UNWIND [$a, $b, $c] AS key CREATE (:Entity {key: key, corpus: $corpus, name: key})", keys)
	driver := driver(t)
	defer func() { _ = driver.Close(context.Background()) }()
	begin := func() neo4j.ExplicitTransaction {
		tx, err := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"}).BeginTransaction(t.Context(), neo4j.WithTxTimeout(30*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	lock := func(tx neo4j.ExplicitTransaction, name string) error {
		result, err := tx.Run(t.Context(), "MATCH (e:Entity {key: $key}) SET e.locked = true", map[string]any{"key": keys[name]})
		if err == nil {
			_, err = result.Consume(t.Context())
		}
		return err
	}
	tx0, tx1 := begin(), begin()
	if err := errors.Join(lock(tx0, "b"), lock(tx1, "c")); err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		others.Go(func() {
			time.Sleep(700 * time.Millisecond) // the lane now waits for b
			others.Go(func() {
				_ = lock(tx1, "a") // one of the two is the victim
				_ = tx1.Close(context.Background())
			})
			time.Sleep(300 * time.Millisecond)
			_ = tx0.Close(context.Background())
		})
		var rows []neo4jstore.Embedded
		for _, name := range []string{"c", "b", "a"} {
			rows = append(rows, neo4jstore.Embedded{Key: keys[name].(string), EmbedFP: "fp", Vector: vector(name)})
		}
		return l.WriteEmbeddings(ctx, graph.KindEntity, dimension, rows)
	})
	others.Wait()
	if n := number(t, "MATCH (e:Entity) WHERE e.key IN [$a, $b, $c] AND e.embed_fp = 'fp' RETURN count(*)", keys); n != 3 {
		t.Errorf("%d of 3 vectors were written", n)
	}
	if !strings.Contains(log.String(), "DeadlockDetected") {
		t.Log("the other transaction was the victim: nothing was tried again")
	}
}

// A relay cuts the connections now and then.
func TestLostConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	between := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	corpus := newCorpus(t, open(t, nil), dimension)
	s, log := logged(t, between.URI())
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		for i := range 40 {
			if i%10 == 5 {
				time.AfterFunc(time.Millisecond, between.Cut)
			}
			if err := l.SetSettings(ctx, map[string]string{"extract": strings.Repeat("x", i+1)}, neo4jstore.CorpusSet{}); err != nil {
				return err
			}
		}
		return nil
	})
	c, err := s.Corpus(t.Context(), corpus)
	if err != nil || len(c.Settings["extract"]) != 40 {
		t.Errorf("settings %v, %v: want that of the last write", c.Settings, err)
	}
	if !strings.Contains(log.String(), "trying again") {
		t.Error("no connection was lost")
	}
}

// A read of one statement waits for the server once, however far away it is.
func TestReadIsOneRoundTrip(t *testing.T) {
	t.Parallel()
	between := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	corpus := newCorpus(t, open(t, nil), dimension)
	s, _ := logged(t, between.URI())
	for name, read := range map[string]func() error{
		"corpus":    func() error { _, err := s.Corpus(t.Context(), corpus); return err },
		"documents": func() error { _, err := s.Documents(t.Context(), corpus); return err },
		"a page":    func() error { _, err := s.PendingDeriveEntities(t.Context(), corpus, "", 10); return err },
	} {
		before := between.Trips()
		if err := read(); err != nil {
			t.Fatal(err)
		}
		if trips := between.Trips() - before; trips != 1 {
			t.Errorf("%s took %d round trips, want 1", name, trips)
		}
	}
}
