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
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
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
// b becomes free, the writer requests c: a deadlock. The server ends the transaction with
// fewer locks, which is the writer's.
func TestDeadlockIsRetried(t *testing.T) {
	t.Parallel()
	s, log := logged(t, "")
	corpus := newCorpus(t, s, dimension)
	keys := map[string]any{"a": graph.Key(corpus, "a"), "b": graph.Key(corpus, "b"), "c": graph.Key(corpus, "c"), "corpus": corpus}
	query(t, "UNWIND [$a, $b, $c] AS key CREATE (:Entity {key: key, corpus: $corpus, name: key})", keys)
	query(t, "UNWIND range(1, 200) AS i CREATE (:Passage {key: $corpus + '/x' + i, corpus: $corpus})", keys)
	driver := driver(t)
	defer func() { _ = driver.Close(context.Background()) }()
	begin := func() neo4j.ExplicitTransaction {
		tx, err := driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: "neo4j"}).BeginTransaction(t.Context(),
			neo4j.WithTxTimeout(time.Minute), neo4j.WithTxMetadata(map[string]any{"test": corpus}))
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	lock := func(tx neo4j.ExplicitTransaction, match string) error {
		result, err := tx.Run(t.Context(), "MATCH "+match+" SET n.locked = true", keys)
		if err == nil {
			_, err = result.Consume(t.Context())
		}
		return err
	}
	// blocked waits until a transaction waits for a lock.
	blocked := func(where string) {
		for start := time.Now(); number(t, "SHOW TRANSACTIONS YIELD status, metaData, currentQuery WHERE status STARTS WITH 'Blocked' AND "+where+" RETURN count(*)", keys) == 0; {
			if time.Since(start) > time.Minute {
				t.Errorf("no transaction is blocked where %s", where)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	free, many := begin(), begin()
	if err := errors.Join(lock(free, "(n:Entity {key: $b})"), lock(many, "(n:Passage) WHERE n.corpus = $corpus"), lock(many, "(n:Entity {key: $c})")); err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		others.Go(func() {
			blocked("metaData.app = 'neorag' AND currentQuery CONTAINS 'embed_fp'") // the writer, on b
			others.Go(func() {
				if err := lock(many, "(n:Entity {key: $a})"); err != nil {
					t.Errorf("the other transaction: %v", err)
				}
				_ = many.Close(context.Background())
			})
			blocked("metaData.test = $corpus") // the other one, on a
			_ = free.Close(context.Background())
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
		t.Error("there was no deadlock")
	}
}

// A relay closes the connection of every tenth commit, before or after it.
func TestLostConnectionIsRetried(t *testing.T) {
	t.Parallel()
	between := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	corpus := newCorpus(t, open(t, nil), dimension)
	s, log := logged(t, between.URI())
	between.OnCommit(func(n int) neo4jtest.Fault {
		return map[int]neo4jtest.Fault{5: neo4jtest.CutRequest, 15: neo4jtest.LoseAnswer}[n%20]
	})
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		for i := range 40 {
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
	if n := strings.Count(log.String(), "msg=retry"); n != between.Injected() || n < 4 {
		t.Errorf("%d attempts were repeated after %d lost connections, want 4", n, between.Injected())
	}
}

// A read of one statement costs one round trip, also where the driver asks once for the servers of a
// cluster.
func TestReadIsOneRoundTrip(t *testing.T) {
	t.Parallel()
	corpus := newCorpus(t, open(t, nil), dimension)
	for name, address := range map[string]func(*neo4jtest.Relay) string{"bolt": (*neo4jtest.Relay).URI, "neo4j": (*neo4jtest.Relay).RoutingURI} {
		t.Run(name, func(t *testing.T) {
			relay := neo4jtest.NewRelay(t, neo4jtest.Server(t))
			s, _ := logged(t, address(relay))
			checkRoundTrips(t, relay, s, corpus)
		})
	}
}

func checkRoundTrips(t *testing.T, between *neo4jtest.Relay, s *neo4jstore.Store, corpus string) {
	t.Helper()
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
