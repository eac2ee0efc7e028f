package index_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// timeouts counts the statements that a store logs as failed for their time.
type timeouts struct {
	slog.Handler

	n *atomic.Int64
}

func (timeouts) Enabled(context.Context, slog.Level) bool { return true }

func (f timeouts) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "cause" && strings.Contains(a.Value.String(), "TransactionTimedOut") {
			f.n.Add(1)
		}
		return true
	})
	return nil
}

// TestLowTimeLimit indexes on a server that looks at its time limits all the time, with a
// limit for all stages that is too short for many transactions. Work is repeated in
// smaller pieces; where the smallest piece takes too long, the next run has more time. The
// graph is that of an undisturbed run.
func TestLowTimeLimit(t *testing.T) {
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
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{
		URI: conn.URI, Username: conn.User, Password: conn.Password, Logger: slog.New(timeouts{slog.DiscardHandler, &timedOut}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	docs := folder(t, circles(40))
	run(t, store, options("undisturbed"), docs)
	o := options("limited")
	for limit := 10 * time.Millisecond; ; limit *= 2 {
		o.TimeLimits = index.TimeLimits{}
		for _, stage := range index.Stages {
			o.TimeLimits[stage] = limit
		}
		before := timedOut.Load()
		r, err := try(t, store, o, docs)
		t.Logf("limit %v: %d transactions took too long; %v", limit, timedOut.Load()-before, err)
		if err == nil && len(r.Failures) == 0 {
			break
		}
		if err != nil && !strings.Contains(err.Error(), "took too long") || limit > 10*time.Second {
			t.Fatalf("limit %v: %+v, %v", limit, r.Failures, err)
		}
	}
	if timedOut.Load() == 0 {
		t.Error("no transaction took too long")
	}
	same(t, dump(t, store, "undisturbed", ""), dump(t, store, "limited", ""))
}
