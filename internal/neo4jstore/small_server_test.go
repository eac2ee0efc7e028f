package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/bench/biggraph"
	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/localneo4j/jars"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/testcorpora"
)

// TestReadsOfASmallServer reads a generated graph as the stages do, from a server without a
// limit and then from one that ends every transaction that takes more than a few megabytes.
// The pieces become smaller, and the results are equal.
func TestReadsOfASmallServer(t *testing.T) {
	t.Parallel()
	if os.Getenv(neo4jtest.URIEnv) == neo4jtest.None {
		testcorpora.Missing(t, "neo4j", "the test runner could not start a server")
	}
	const corpus = "made"
	dir, log := t.TempDir(), &failedStatements{count: map[string]int{}}
	onServer(t, dir, nil, log, func(s *neo4jstore.Store) {
		o := biggraph.Options{ToDerive: true}
		if err := biggraph.Write(t.Context(), s, corpus, biggraph.Sizes{Entities: 15_000, Root: 40}, o, func(string) {}); err != nil {
			t.Fatal(err)
		}
	})
	var want, got []string
	onServer(t, dir, nil, log, func(s *neo4jstore.Store) { want = stageReads(t, s, corpus) })
	if len(log.count) > 0 {
		t.Fatalf("statements that failed without a limit: %v", log.count)
	}
	onServer(t, dir, []string{"db.memory.transaction.max=4m"}, log, func(s *neo4jstore.Store) { got = stageReads(t, s, corpus) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what stages read (-without +with a limit):\n%s", diff)
	}
	t.Logf("statements that were too large: %v", log.count)
}

// onServer calls a function with a server of the data in a folder.
func onServer(t *testing.T, dir string, settings []string, log slog.Handler, fn func(*neo4jstore.Store)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	conn, stop, err := neo4jtest.StartIn(ctx, dir, localneo4j.Options{NoFetch: true, HeapMB: 768, Settings: settings})
	if errors.Is(err, jars.ErrMissing) || errors.Is(err, localneo4j.ErrNoJava) {
		testcorpora.Missing(t, "neo4j", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	s, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password, Logger: slog.New(log)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.WithoutCancel(t.Context())) }()
	fn(s)
}

// stageReads returns what every read of a whole graph returns, a text for each.
func stageReads(t *testing.T, s *neo4jstore.Store, corpus string) []string {
	t.Helper()
	var all []string
	add := func(name string, items any, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := fmt.Sprintf("%s: %+v", name, items)
		if len(text) < 1000 {
			t.Fatalf("little was read: %s", text)
		}
		all = append(all, text)
	}
	ctx := t.Context()
	documents, err := s.Documents(ctx, corpus)
	add("documents", documents, err)
	adjacency, err := s.Adjacency(ctx, corpus, "count")
	add("adjacency", fmt.Sprint(adjacency.Keys, joints(adjacency)), err)
	communities, err := s.Communities(ctx, corpus, 1, true)
	add("communities", communities, err)
	contexts, err := collect(s.ReportContexts(ctx, corpus, 1, communities[:20]))
	add("report contexts", contexts, err)
	labels, err := s.LabelledEntities(ctx, corpus, "", 5000)
	add("labels", labels, err)
	entities, err := s.PendingDeriveEntities(ctx, corpus, "", 20_000)
	add("entities", entities, err)
	relationships, err := s.PendingDeriveRelationships(ctx, corpus, "", 20_000)
	add("relationships", relationships, err)
	return all
}

// failedStatements counts the statements that a store logs as failed.
type failedStatements struct {
	mu    sync.Mutex
	count map[string]int
}

func (*failedStatements) Enabled(context.Context, slog.Level) bool { return true }
func (h *failedStatements) WithAttrs([]slog.Attr) slog.Handler     { return h }
func (h *failedStatements) WithGroup(string) slog.Handler          { return h }

func (h *failedStatements) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "statement failed" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "name" {
			h.count[a.Value.String()]++
		}
		return true
	})
	return nil
}
