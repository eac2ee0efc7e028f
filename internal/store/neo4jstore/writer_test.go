package neo4jstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
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
	err := s.attempt(t.Context(), neo4j.AccessModeRead, func(tx *transaction) error {
		result, err := tx.send(t.Context(), text, map[string]any{"corpus": corpus})
		if err != nil {
			return err
		}
		record, err := result.Single(t.Context())
		if err != nil {
			return err
		}
		*n, _ = record.Values[0].(int64)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// blocked waits until a number of transactions wait for locks because of statements that
// take, extend or check the lease of the corpus.
func blocked(t *testing.T, s *Store, corpus string, want int64) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		var n int64
		runRead(t, s, "SHOW TRANSACTIONS YIELD currentQuery, status, parameters WHERE status STARTS WITH 'Blocked' AND currentQuery CONTAINS ':Lease' "+
			"AND toString(parameters.p.corpus) = '"+corpus+"' RETURN count(*) AS n", corpus, &n)
		if n == want {
			return
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("%d transactions wait for the lease of %s, want %d", n, corpus, want)
		}
	}
}

// clock returns the time of the server.
func clock(t *testing.T, s *Store) int64 {
	t.Helper()
	var ms int64
	runRead(t, s, "RETURN timestamp() AS n", "", &ms)
	return ms
}

// TestLeaseBeginsWhenItIsTaken takes and extends a lease while another transaction holds
// its lock: the lease is valid for its whole time from then on, not from when the
// statement began to wait.
func TestLeaseBeginsWhenItIsTaken(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Borrow(t, "4")
	if err := s.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &Writer{store: s, corpus: corpus, owner: "test " + t.Name(), ttl: time.Minute}
	if err := w.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, wait := range map[string]func() error{
		"taken": func() error { return w.acquire(t.Context()) },
		"extended": func() error {
			return s.writeOne(t.Context(), func(tx *transaction) error {
				_, err := w.extend(t.Context(), tx)
				return err
			})
		},
	} {
		done := make(chan error, 1)
		var locked int64
		err := s.writeTx(t.Context(), func(tx *transaction) error {
			if err := w.fence(t.Context(), tx); err != nil {
				return err
			}
			go func() { done <- wait() }()
			blocked(t, s, corpus, 1)
			for since := clock(t, s); locked <= since+10; locked = clock(t, s) {
				time.Sleep(time.Millisecond)
			}
			return nil
		})
		if err := errors.Join(err, <-done); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var until int64
		runRead(t, s, "MATCH (l:Lease {key: $corpus}) RETURN l.until AS n", corpus, &until)
		if valid := until - locked; valid < w.ttl.Milliseconds() {
			t.Errorf("%s: the lease was valid for %d ms when the lock was free, want at least %d", name, valid, w.ttl.Milliseconds())
		}
	}
}

// TestFailedTransactionKeepsTheLease lets a transaction take longer than the lease and
// fail, which undoes its extension of the lease, while another process waits to take the
// lease over. The renewal, which waits as well, must win, whichever gets the lock first.
func TestFailedTransactionKeepsTheLease(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Borrow(t, "4")
	if err := s.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &Writer{store: s, corpus: corpus, owner: "test " + t.Name(), ttl: time.Minute}
	if err := w.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		runText(t, s, "MATCH (l:Lease {key: $corpus}) SET l.until = timestamp() - 1", map[string]any{"corpus": corpus})
		failed := errors.New("too long")
		renewed, taken := make(chan error, 1), make(chan error, 1)
		err := w.write(t.Context(), "test", func(*transaction) error {
			go func() {
				other := &Writer{store: s, corpus: corpus, owner: "another process", ttl: time.Minute}
				taken <- other.acquire(t.Context())
			}()
			blocked(t, s, corpus, 1)
			go func() {
				renewed <- s.writeOne(t.Context(), func(tx *transaction) error {
					_, err := w.extend(t.Context(), tx)
					return err
				})
			}()
			blocked(t, s, corpus, 2)
			return failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("the transaction: %v", err)
		}
		if err := <-renewed; err != nil {
			t.Errorf("the renewal: %v", err)
		}
		if err := <-taken; !errors.Is(err, ErrLeased) {
			t.Errorf("the other process: %v, want ErrLeased", err)
		}
		if err := w.write(t.Context(), "test", func(*transaction) error { return nil }); err != nil {
			t.Fatalf("the next transaction: %v", err)
		}
	}
}

// TestSchemaChangeIsUndone loses the lease while a transaction drops an index.
func TestSchemaChangeIsUndone(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	s, corpus := readerStore(t), neo4jtest.Borrow(t, "4")
	if err := s.EnsureCorpus(t.Context(), corpus, 4); err != nil {
		t.Fatal(err)
	}
	w := &Writer{store: s, corpus: corpus, owner: "test " + t.Name(), ttl: time.Minute}
	if err := w.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := w.changeSchema(t.Context(), "test", func(tx *transaction) error {
		runText(t, s, "MATCH (l:Lease {key: $corpus}) SET l.token = l.token + 1", map[string]any{"corpus": corpus})
		return dropping(t.Context(), []string{"lead_" + corpus})(tx)
	})
	if !errors.Is(err, ErrLeaseLost) {
		t.Errorf("got %v, want ErrLeaseLost", err)
	}
	if shown, err := s.indexesOf(t.Context(), corpus); err != nil || shown["lead_"+corpus].name == "" {
		t.Errorf("the index was dropped: %v, %v", shown, err)
	}
}
