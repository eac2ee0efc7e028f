package neo4jstore

import (
	"context"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/neo4jtest"
)

// The renewal of a lease waits for the lock of a long transaction, which must therefore
// extend the lease itself. This writer has no renewal.
func TestLongTransactionExtendsTheLease(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Borrow(t, "4")
	if err := s.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &Writer{store: s, corpus: corpus, owner: "test " + t.Name(), ttl: 3 * time.Second}
	if err := w.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	until := func() int64 {
		var ms int64
		runRead(t, s, "MATCH (l:Lease {key: $corpus}) RETURN l.until AS n", corpus, &ms)
		return ms
	}
	before := until()
	write := func(takes time.Duration) {
		t.Helper()
		err := w.write(t.Context(), "test", func(*transaction) error { time.Sleep(takes); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	write(w.ttl/3 + 50*time.Millisecond)
	if after := until(); after < before+w.ttl.Milliseconds()/3 {
		t.Errorf("a transaction of more than a third of the lease extended it by %d ms, want at least its duration", after-before)
	}
	// Any other transaction leaves the lease to the renewal.
	w.ttl = time.Hour
	before = until()
	write(0)
	if after := until(); after != before {
		t.Errorf("a short transaction extended the lease by %d ms", after-before)
	}
	if err := w.release(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

// runRead runs a statement that returns a number.
func runRead(t *testing.T, s *Store, text, corpus string, n *int64) {
	t.Helper()
	err := s.readTx(t.Context(), func(tx *transaction) error {
		result, err := tx.send(t.Context(), text, map[string]any{"corpus": corpus})
		if err != nil {
			return err
		}
		record, err := result.Single(t.Context())
		if err != nil {
			return err
		}
		*n = values(record.AsMap()).whole("n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
