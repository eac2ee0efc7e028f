package neo4jstore_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// logged opens a store and records its log.
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

// The writer holds a and waits for b; another transaction holds c and waits for a. When
// b becomes free, the writer requests c: a deadlock.
func TestDeadlockIsRetried(t *testing.T) {
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
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		others.Go(func() {
			time.Sleep(700 * time.Millisecond) // the writer now waits for b
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
		return writer.WriteEmbeddings(ctx, graph.KindEntity, dimension, rows)
	})
	others.Wait()
	if n := number(t, "MATCH (e:Entity) WHERE e.key IN [$a, $b, $c] AND e.embed_fp = 'fp' RETURN count(*)", keys); n != 3 {
		t.Errorf("%d of 3 vectors were written", n)
	}
	if !strings.Contains(log.String(), "DeadlockDetected") {
		t.Log("the other transaction was the victim: nothing was tried again")
	}
}

// A relay closes the connections now and then.
func TestLostConnectionIsRetried(t *testing.T) {
	t.Parallel()
	between := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	corpus := newCorpus(t, open(t, nil), dimension)
	s, log := logged(t, between.URI())
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		for i := range 40 {
			if i%10 == 5 {
				time.AfterFunc(time.Millisecond, between.Cut)
			}
			if err := writer.SetSettings(ctx, map[string]string{"extract": strings.Repeat("x", i+1)}, neo4jstore.CorpusSet{}); err != nil {
				return err
			}
		}
		return nil
	})
	c, err := s.Corpus(t.Context(), corpus)
	if err != nil || len(c.Settings["extract"]) != 40 {
		t.Errorf("settings %v, %v: want that of the last write", c.Settings, err)
	}
	if !strings.Contains(log.String(), "msg=retry") {
		t.Error("no connection was lost")
	}
}

// A read of one statement costs one round trip.
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
