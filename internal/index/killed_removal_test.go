package index_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestKilledRemovals kills removals of a document before some of their transactions. The same
// removal, or a run of its folder, completes it: the graph is that of a removal that was not killed.
func TestKilledRemovals(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	chosen := index.Selection{Names: []string{"docs/two.txt"}}
	docs := folder(t, town())
	remove := func(name string, k *killer) (index.Result, error) {
		t.Helper()
		x, err := index.New(open(t, k.fault), options(name))
		if err != nil {
			t.Fatal(err)
		}
		return x.RemoveDocuments(t.Context(), chosen, nil)
	}
	name, count := corpus(t, plain), &killer{left: 1 << 30}
	run(t, plain, options(name), docs)
	if r, err := remove(name, count); err != nil || r.Documents.Removed != 1 {
		t.Fatalf("the removal: %+v, %v", r, err)
	}
	graph := dump(t, plain, name, "")
	for i, n := range faulttest.Points(t, count.seen, 2) {
		finish := []string{"remove", "index"}[i%2]
		t.Run(fmt.Sprintf("%d %s", n, finish), func(t *testing.T) {
			faulttest.AtOrBefore(t, n, func(at int) bool {
				neo4jtest.Wipe(t, name)
				run(t, plain, options(name), docs)
				k := &killer{left: at - 1}
				if _, err := remove(name, k); err == nil && k.left >= 0 {
					return false
				} else if !errors.Is(err, errKilled) {
					t.Fatalf("killed at %d: got %v, want %v", at, err, errKilled)
				}
				begun, err := plain.Exclusions(t.Context(), name)
				// After the transaction that ends it, only the record of the run may be missing.
				if ended := len(begun.Unfinished) == 0 && dump(t, plain, name, "") == graph; err != nil || !ended && !slices.Equal(begun.Unfinished, begun.Documents) {
					t.Errorf("killed at %d: %+v, %v, want the excluded document as unfinished", at, begun, err)
				}
				if finish == "index" && len(begun.Documents) > 0 {
					run(t, plain, options(name), docs)
				} else if r, err := remove(name, &killer{left: 1 << 30}); err != nil || r.Exit != 0 {
					t.Fatalf("killed at %d: the same removal: %+v, %v", at, r, err)
				}
				same(t, graph, dump(t, plain, name, ""))
				if idle, err := remove(name, &killer{left: 1 << 30}); err != nil || idle.Writes != 0 {
					t.Errorf("killed at %d: the removal after the next: %+v, %v", at, idle, err)
				}
				if left, err := plain.Exclusions(t.Context(), name); err != nil || len(left.Unfinished) > 0 || len(left.Documents) != 1 {
					t.Errorf("killed at %d: %+v, %v are left", at, left, err)
				}
				if idle := run(t, plain, options(name), docs); idle.Writes != 0 {
					t.Errorf("killed at %d: a run after the removal wrote %d times", at, idle.Writes)
				}
				return true
			})
		})
	}
}
