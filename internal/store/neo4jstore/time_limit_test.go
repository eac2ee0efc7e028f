package neo4jstore_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/biggraph"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// failures counts the statements that a store logs as failed for their time.
type failures struct {
	slog.Handler

	n *atomic.Int64
}

func (failures) Enabled(context.Context, slog.Level) bool { return true }

func (f failures) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "cause" && strings.Contains(a.Value.String(), "TransactionTimedOut") {
			f.n.Add(1)
		}
		return true
	})
	return nil
}

// TestReadsWithinTimeLimit reads a graph on a server that looks at its time limits all the
// time. Under a limit that is too short for a page, every read of a whole graph returns
// what it returns without a limit.
func TestReadsWithinTimeLimit(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server with a time limit")
	neo4jtest.Server(t) // skips without a server
	conn, stop, err := neo4jtest.Start(t.Context(), t.TempDir(), localneo4j.Options{
		NoFetch: true, Settings: []string{"db.transaction.monitor.check.interval=5ms"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	var timedOut atomic.Int64
	s, err := neo4jstore.Open(t.Context(), neo4jstore.Config{
		URI: conn.URI, Username: conn.User, Password: conn.Password, Logger: slog.New(failures{slog.DiscardHandler, &timedOut}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	const corpus = "limited"
	sizes := biggraph.Sizes{Entities: 5000, Leaf: 10, Middle: 5, Root: 4}
	if err := biggraph.Write(t.Context(), s, corpus, sizes, biggraph.Options{ToDerive: true}, func(string) {}); err != nil {
		t.Fatal(err)
	}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		return markAll(ctx, w, "extract", "embed", "report")
	})
	for name, read := range wholeReads(s, corpus) {
		t.Run(name, func(t *testing.T) {
			want, err := read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			small := strings.Contains(name, "documents") || name == "communities to report" || name == "adjacency by scan" // their pages take less than any limit
			// The shortest limit that lets the smallest pages pass depends on the machine. The
			// server looks every 5 ms, so that it may miss a short page that takes too long.
			for limit := time.Millisecond; limit < 10*time.Second; limit *= 2 {
				timedOut.Store(0)
				got, err := read(neo4jstore.WithTimeLimit(t.Context(), limit))
				for tries := 0; err == nil && got == want && timedOut.Load() == 0 && !small && tries < 20; tries++ {
					got, err = read(neo4jstore.WithTimeLimit(t.Context(), limit))
				}
				if err != nil {
					if !strings.Contains(err.Error(), "took too long") {
						t.Fatalf("limit %v: %v", limit, err)
					}
					continue
				}
				if got != want {
					t.Errorf("limit %v: the read returns something else", limit)
				}
				if timedOut.Load() == 0 && !small {
					t.Errorf("limit %v: no transaction took too long", limit)
				}
				t.Logf("limit %v: %d transactions took too long", limit, timedOut.Load())
				return
			}
			t.Error("no limit lets the read end")
		})
	}
}

// wholeReads are the reads of a whole graph, each with a digest of what it returned.
func wholeReads(s *neo4jstore.Store, corpus string) map[string]func(context.Context) (string, error) {
	digest := func(v any, err error) (string, error) {
		return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%+v", v))), err
	}
	reads := map[string]func(context.Context) (string, error){
		"unreported communities": func(ctx context.Context) (string, error) { return digest(s.Unreported(ctx, corpus, 1)) },
		"adjacency by scan": func(ctx context.Context) (string, error) {
			a, err := s.Adjacency(ctx, corpus, "count")
			if err != nil {
				return "", err
			}
			return digest(joints(a), nil)
		},
		"adjacency by count": func(ctx context.Context) (string, error) {
			a, err := s.AdjacencyByScan(ctx, corpus, 0)
			if err != nil {
				return "", err
			}
			return digest(joints(a), nil)
		},
		"adjacency by strength": func(ctx context.Context) (string, error) {
			a, err := s.Adjacency(ctx, corpus, "strength")
			if err != nil {
				return "", err
			}
			return digest(joints(a), nil)
		},
		"communities with members": func(ctx context.Context) (string, error) {
			return digest(s.Communities(ctx, corpus, 1, true))
		},
		"report contexts": func(ctx context.Context) (string, error) {
			communities, err := s.Communities(context.WithoutCancel(ctx), corpus, 1, false)
			if err != nil {
				return "", err
			}
			return digest(collect(s.ReportReader(corpus, 1).Contexts(ctx, communities)))
		},
		"entities to derive": func(ctx context.Context) (string, error) {
			return digest(pendingPages(func(after string) ([]neo4jstore.EntityEvidence, error) {
				return s.PendingDeriveEntities(ctx, corpus, after, 20_000)
			}, func(e neo4jstore.EntityEvidence) string { return e.Key }))
		},
		"relationships to derive": func(ctx context.Context) (string, error) {
			return digest(pendingPages(func(after string) ([]neo4jstore.RelationshipEvidence, error) {
				return s.PendingDeriveRelationships(ctx, corpus, after, 20_000)
			}, func(r neo4jstore.RelationshipEvidence) string { return r.Key }))
		},
	}
	for name, read := range workReads(s, corpus) {
		reads[name] = func(ctx context.Context) (string, error) { return digest(read(ctx)) }
	}
	return reads
}

// pendingPages reads all pages of marked nodes.
func pendingPages[T any](page func(after string) ([]T, error), key func(T) string) (all []T, err error) {
	for after := ""; ; after = key(all[len(all)-1]) {
		found, err := page(after)
		if err != nil || len(found) == 0 {
			return all, err
		}
		all = append(all, found...)
	}
}
