package index_test

import (
	"slices"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestNothingToDo counts the write transactions of runs. A run with work has those that
// the store names, the last of which records the run, and besides them the lease is
// taken, renewed and released. A run without work has none: it takes no lease, records
// nothing and leaves the schema alone.
func TestNothingToDo(t *testing.T) {
	t.Parallel()
	var points []string
	store, relay := relayed(t, func(point string) error {
		points = append(points, point)
		return nil
	})
	name, docs := corpus(t, store), folder(t, town())
	if err := store.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, work := range []func(){func() {}, func() { change(t, docs) }} {
		work()
		if i == 0 { // with its indexes
			run(t, store, options(name), docs)
			neo4jtest.Wipe(t, name)
		}
		points = nil
		relay.OnCommit(nil)
		begin := time.Now()
		if r := run(t, store, options(name), docs); r.Writes == 0 {
			t.Error("a run with work counts no writes")
		}
		if n := len(points); n < 10 || points[n-1] != "run" || slices.Index(points, "run") != n-1 {
			t.Errorf("transactions of the store: %q, want several and run as the last one", points)
		}
		renewals := int(time.Since(begin) / (3 * time.Second)) // a lease of ten seconds is renewed after a third
		other, want := relay.Commits()-len(points), 2
		if other < want || other > want+renewals {
			t.Errorf("run %d: %d other transactions, want %d, and at most %d renewals", i, other, want, renewals)
		}
		before := dump(t, store, name, "")
		for range 2 {
			points = nil
			relay.OnCommit(nil)
			if r := run(t, store, options(name), docs); r.Writes != 0 || relay.Commits() != 0 || len(points) > 0 {
				t.Errorf("a run without work: %d writes, %d write transactions, %q", r.Writes, relay.Commits(), points)
			}
		}
		same(t, before, dump(t, store, name, ""))
	}
}
