package index_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// killCorpora is the number of corpora that the kill points are spread over. Creating
// the indexes of a corpus takes longer than a run of this size.
const killCorpora = 3

var errKilled = errors.New("killed")

// A killer makes every write fail after left transactions, as if the process was dead.
type killer struct{ left, seen int }

func (k *killer) fault(string) error {
	k.seen++
	if k.left--; k.left < 0 {
		return errKilled
	}
	return nil
}

// TestKilledBetweenTransactions kills a run before some of its transactions, with
// NEORAG_FAULTS=all before each, and compares the result of the next run with that of an
// undisturbed one.
func TestKilledBetweenTransactions(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	whole := corpus(t, store)
	run(t, store, options(whole), docs)
	want := dump(t, store, whole, "")

	count := &killer{left: 1 << 30}
	counted := open(t, count.fault)
	run(t, counted, options(corpus(t, store)), docs)
	t.Logf("a run has %d write transactions", count.seen)
	if count.seen < 10 {
		t.Fatalf("got %d write transactions, want every stage to have some", count.seen)
	}
	killEach(t, docs, want, faulttest.Points(t, count.seen, 2))
}

// killEach kills a run before each of the given transactions.
func killEach(t *testing.T, docs, want string, places []int) {
	t.Helper()
	store := open(t, nil)
	for i := range killCorpora {
		t.Run(fmt.Sprintf("corpus %d", i), func(t *testing.T) {
			t.Parallel()
			name := corpus(t, store)
			for at := i; at < len(places); at += killCorpora {
				faulttest.AtOrBefore(t, places[at], func(place int) bool {
					n := place - 1
					neo4jtest.Wipe(t, name)
					k := &killer{left: n}
					if _, err := try(t, open(t, k.fault), options(name), docs); err == nil && k.left >= 0 {
						return false
					} else if !errors.Is(err, errKilled) {
						t.Fatalf("killed after %d: got %v, want %v", n, err, errKilled)
					}
					run(t, store, options(name), docs)
					if got := dump(t, store, name, ""); got != want {
						t.Errorf("killed after %d:", n)
						same(t, want, got)
					}
					if idle := run(t, store, options(name), docs); idle.Writes != 0 {
						t.Errorf("killed after %d: the run after the next wrote %d times, want none", n, idle.Writes)
					}
					return true
				})
			}
		})
	}
}

// TestKilledUpdates repeatedly changes a folder and kills the run over it at different
// points, and compares the evidence with that of a new corpus. Results that arrive
// together are written together, so a run may end before the latest points.
func TestKilledUpdates(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, fresh := corpus(t, store), corpus(t, store)
	files := town()
	docs := folder(t, files)
	run(t, store, options(name), docs)
	runs := 4
	if faulttest.All() {
		runs = 8
	}
	killed := 0
	for n := range runs {
		for file, text := range files {
			write(t, docs+"/"+file, fmt.Sprintf("%s\nIn 19%d Clara Hale met Visitor Nº %d, and Agnes Moor met Tobias Reed.", text, 40+n, n))
		}
		k := &killer{left: 1 + n}
		_, err := try(t, open(t, k.fault), options(name), docs)
		if fired := k.left < 0; fired != errors.Is(err, errKilled) {
			t.Fatalf("killed after %d: the fault fired: %t, the run ended with %v", 1+n, fired, err)
		} else if fired {
			killed++
		}
	}
	if killed < runs/2 {
		t.Errorf("%d of %d runs were killed, want half of them", killed, runs)
	}
	run(t, store, options(name), docs)
	run(t, store, options(fresh), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, name, "evidence"))
}
