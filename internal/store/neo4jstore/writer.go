package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// A Writer runs all write transactions of a corpus, one after the other. Each begins
// with a check that the lease is still held. A Writer is valid inside WithWriter, and
// safe for concurrent use.
type Writer struct {
	parent *Writer // set by WithCounters
	store  *Store
	corpus string
	owner  string
	token  int64
	ttl    time.Duration

	dropLease bool // at the end, instead of releasing it
	progress  atomic.Pointer[Progress]

	mu       sync.Mutex // held during a write transaction
	countMu  sync.Mutex
	counters Counters
}

// WithWriter acquires the lease of the corpus, calls fn with a Writer and releases the
// lease, also when ctx is cancelled. owner is a name that no other process uses. A lease
// is valid for ttl (0 is LeaseTTL) and renewed while fn runs. When another process
// takes it over, the context of fn is cancelled with the cause ErrLeaseLost, and nothing
// more can be written. After CancelRun, the cause is ErrCancelled. The error is ErrLeased if another process holds
// the lease.
func (s *Store) WithWriter(ctx context.Context, corpus, owner string, ttl time.Duration, fn func(context.Context, *Writer) error) error {
	if err := graph.CheckCorpus(corpus); err != nil {
		return err
	}
	if ttl <= 0 {
		ttl = LeaseTTL
	}
	w := &Writer{store: s, corpus: corpus, owner: owner, ttl: ttl}
	if err := w.acquire(ctx); err != nil {
		return err
	}
	inner, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { w.renew(inner, cancel) })
	err := panicerr.Catch(func() error { return fn(inner, w) })
	err = EndedBy(inner, err)
	cancel(nil)
	renewing.Wait()
	releaseErr := w.release(ctx)
	if err == nil {
		return releaseErr
	}
	if releaseErr != nil {
		s.logger.DebugContext(ctx, "lease not released; it expires by itself", "corpus", corpus, "cause", releaseErr)
	}
	return err
}

// EndedBy adds to an error the reason why the writer whose context ended can no longer write: ErrLeaseLost or
// ErrCancelled. What waited for a model or the server returns context.Canceled alone.
func EndedBy(ctx context.Context, err error) error {
	for _, end := range []error{ErrLeaseLost, ErrCancelled} {
		if cause := context.Cause(ctx); err != nil && errors.Is(cause, end) && !errors.Is(err, end) {
			return fmt.Errorf("%w (%w)", cause, err)
		}
	}
	return err
}

// WithCounters returns the same writer with separate counters; w counts its changes too.
func (w *Writer) WithCounters() *Writer {
	return &Writer{parent: w.main(), store: w.store, corpus: w.corpus, owner: w.owner, token: w.token, ttl: w.ttl}
}

// main returns the writer of WithWriter.
func (w *Writer) main() *Writer {
	if w.parent != nil {
		return w.parent
	}
	return w
}

func (w *Writer) count(changed Counters) {
	if w.parent != nil {
		w.parent.count(changed)
	}
	w.countMu.Lock()
	defer w.countMu.Unlock()
	w.counters.plus(changed)
}

// Counters returns the changes of this writer so far. The lease and the record of the
// run are not counted.
func (w *Writer) Counters() Counters {
	w.countMu.Lock()
	defer w.countMu.Unlock()
	return w.counters
}

// write runs one write transaction. The body runs again after a deadlock or a lost
// connection, so it must not keep state. The point names the transaction.
func (w *Writer) write(ctx context.Context, point string, body func(tx *transaction) error) error {
	return w.commit(ctx, point, true, body)
}

// commit is write; the changes are only counted if counted is set.
func (w *Writer) commit(ctx context.Context, point string, counted bool, body func(tx *transaction) error) error {
	main := w.main()
	main.mu.Lock()
	defer main.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var changed Counters
	err := retry(ctx, w.store.logger, nil, func() error {
		return w.store.attempt(ctx, neo4j.AccessModeWrite, func(tx *transaction) error {
			start := time.Now()
			if err := w.fence(ctx, tx); err != nil {
				return err
			}
			tx.counters = Counters{}
			if err := body(tx); err != nil {
				return err
			}
			// Another attempt repeats these changes, or finds them if only the answer to
			// this commit is lost.
			changed = cmp.Or(changed, tx.counters)
			if time.Since(start) > w.ttl/3 {
				// The renewal is waiting for the lock that this transaction holds.
				_, err := w.extend(ctx, tx)
				return err
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("write %s of corpus %s: %w", point, w.corpus, EndedBy(ctx, err))
	}
	if counted {
		w.count(changed)
	}
	return w.store.passed(point)
}

// writeUntilDone runs a statement that changes at most limit things and returns their number, each
// time in a transaction, until fewer are left. A limit that is too large for the server is halved.
func (w *Writer) writeUntilDone(ctx context.Context, point string, st cypher.Statement, limit int, more map[string]any) error {
	return repeat(int64(w.store.pageOf(limit)), func(limit int64) (n int64, err error) {
		params := map[string]any{"limit": limit}
		maps.Copy(params, more)
		err = w.write(ctx, point, func(tx *transaction) error {
			n, err = tx.one(ctx, st, w.corpus, params)
			return err
		})
		return n, err
	})
}

// writeSorted runs a statement over rows in the order of their keys, so that all transactions take
// locks in the same order, in transactions of bounded size.
func (w *Writer) writeSorted(ctx context.Context, point string, step rowStep) error {
	sortRows(step.rows)
	return batches(step.rows, writeRows, countRow, func(part []any) error {
		return w.write(ctx, point, func(tx *transaction) error {
			return tx.rows(ctx, step.statement, w.corpus, part, step.counted)
		})
	})
}

// writeKeys runs a statement over keys, each once, in transactions of bounded size.
func (w *Writer) writeKeys(ctx context.Context, point string, st cypher.Statement, keys []string, more map[string]any) error {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	return batches(keys, writeRows, countRow, func(part []string) error {
		params := map[string]any{"keys": part}
		maps.Copy(params, more)
		return w.write(ctx, point, func(tx *transaction) error {
			return tx.each(ctx, st, w.corpus, params, nil)
		})
	})
}

// changeSchema runs a transaction that creates or drops indexes. The server allows no
// writes in it, so that it cannot lock the lease as others do: it reads the lease before
// and after the change, and changes nothing if another process took the lease over. The
// next run compares the indexes again, in case the process stalls before the commit. Other
// writes of the writer may run at the same time.
func (w *Writer) changeSchema(ctx context.Context, point string, body func(tx *transaction) error) error {
	var changed Counters
	err := w.store.writeTx(ctx, func(tx *transaction) error {
		if err := w.checkLease(ctx, tx, cypher.SchemaLeaseHeld); err != nil {
			return err
		}
		if err := body(tx); err != nil {
			return err
		}
		changed = cmp.Or(changed, tx.counters) // as in commit
		return w.checkLease(ctx, tx, cypher.SchemaLeaseHeld)
	})
	if err != nil {
		return fmt.Errorf("write %s of corpus %s: %w", point, w.corpus, err)
	}
	w.count(changed)
	return w.store.passed(point)
}
