package index_test

import (
	"errors"
	"fmt"
	"testing"
)

var errKilled = errors.New("killed")

// killer stops everything after the nth transaction: from then on every write
// fails, as if the process were gone.
type killer struct{ left, seen int }

func (k *killer) fault(string) error {
	k.seen++
	if k.left--; k.left < 0 {
		return errKilled
	}
	return nil
}

// TestKilledBetweenTransactions ends a run after every single transaction, and
// compares what the next run makes with a run that was left alone.
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
	step := max(1, count.seen/40)
	for n := 0; n < count.seen; n += step {
		t.Run(fmt.Sprintf("after %d", n), func(t *testing.T) {
			t.Parallel()
			name := corpus(t, store)
			k := &killer{left: n}
			if _, err := try(t, open(t, k.fault), options(name), docs); !errors.Is(err, errKilled) {
				t.Fatalf("killed run: got %v, want %v", err, errKilled)
			}
			run(t, store, options(name), docs)
			same(t, want, dump(t, store, name, ""))
			if idle := run(t, store, options(name), docs); idle.Writes != 0 {
				t.Errorf("the run after it wrote %d times, want none", idle.Writes)
			}
		})
	}
}

// TestKilledUpdates kills runs of a changed folder at many places, again and
// again, and compares the evidence with an index made anew.
func TestKilledUpdates(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, fresh := corpus(t, store), corpus(t, store)
	files := town()
	docs := folder(t, files)
	run(t, store, options(name), docs)
	for n := range 12 {
		for file, text := range files {
			write(t, docs+"/"+file, fmt.Sprintf("%s\nIn 19%d Clara Hale met Visitor Nº %d, and Agnes Moor met Tobias Reed.", text, 40+n, n))
		}
		k := &killer{left: 2 + 3*n%17}
		_, err := try(t, open(t, k.fault), options(name), docs)
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
	run(t, store, options(name), docs)
	run(t, store, options(fresh), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, name, "evidence"))
}
