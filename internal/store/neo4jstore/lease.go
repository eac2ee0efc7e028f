package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neorag/neorag/cypher"
)

// LeaseTTL is how long a lease is valid without being renewed, unless WithWriter is given
// another time: how long a killed process blocks others that cannot see that it is dead.
const LeaseTTL = 10 * time.Second

// A LeasedError names the holder of the lease of a corpus. It is an ErrLeased.
type LeasedError struct {
	Corpus string
	Holder string    // the owner that was given to WithWriter
	Until  time.Time // when the lease expires unless it is renewed

	token int64
}

func (e *LeasedError) Error() string {
	return fmt.Sprintf("corpus %s: %s: %s, until %s unless renewed; wait for it or stop it",
		e.Corpus, ErrLeased, e.Holder, e.Until.Format(time.TimeOnly))
}

func (e *LeasedError) Unwrap() error { return ErrLeased }

func (w *Writer) lease() map[string]any {
	return map[string]any{"owner": w.owner, "token": w.token, "ttl": w.ttl.Milliseconds()}
}

// takeoverPause is how long an expired lease must stay as it is before it is taken over.
const takeoverPause = time.Second

// acquire takes the lease. It takes over an expired one if it is not extended for
// takeoverPause: a transaction of the holder that took longer than the lease, and failed,
// held the lock that both the renewal and this process waited for.
func (w *Writer) acquire(ctx context.Context) error {
	seen := time.UnixMilli(0)
	for {
		holder, until, expired, err := w.tryAcquire(ctx, seen)
		switch {
		case err != nil:
			return fmt.Errorf("take the lease of corpus %s: %w", w.corpus, err)
		case holder == w.owner:
			return nil
		case !expired || until.Equal(seen):
			return &LeasedError{Corpus: w.corpus, Holder: holder, Until: until, token: w.token}
		}
		seen = until
		if err := pause(ctx, takeoverPause); err != nil {
			return err
		}
	}
}

// tryAcquire takes the lease if it is free, or expired at the given time, and returns its
// holder. If it does not take it, expired reports whether it has expired.
func (w *Writer) tryAcquire(ctx context.Context, seen time.Time) (holder string, until time.Time, expired bool, err error) {
	params := map[string]any{"owner": w.owner, "ttl": w.ttl.Milliseconds(), "expired": seen.UnixMilli()}
	err = w.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseAcquire, w.corpus, params, writeLeaseAcquire.each(func(row leaseAcquireRow) {
			w.token, holder, until, expired = row.Token, row.Holder, time.UnixMilli(row.Until), row.Expired
		}))
	})
	return holder, until, expired, err
}

// renew renews the lease until ctx ends, and cancels with ErrLeaseLost when the lease
// is lost, with ErrCancelled after CancelRun. It keeps trying while the server is unreachable: only the server knows
// whether the lease is still valid, and the fence keeps writes safe.
func (w *Writer) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(max(w.ttl/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		cancelled := false
		err := w.store.writeOne(ctx, func(tx *transaction) (err error) {
			cancelled, err = w.extend(ctx, tx)
			return err
		})
		if err == nil && cancelled {
			err = ErrCancelled
		}
		if errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrCancelled) {
			cancel(fmt.Errorf("corpus %s: %w", w.corpus, err))
			return
		}
		if err != nil && ctx.Err() == nil {
			w.store.logger.WarnContext(ctx, "lease not renewed", "corpus", w.corpus, "cause", err)
		}
	}
}

// extend extends the lease, stores the progress of the run, and reports whether the run is cancelled.
func (w *Writer) extend(ctx context.Context, tx *transaction) (cancelled bool, err error) {
	held, params := false, w.lease()
	params["progress"] = w.main().progress.Load().text()
	err = tx.each(ctx, cypher.WriteLeaseRenew, w.corpus, params, writeLeaseRenew.each(func(c bool) { held, cancelled = true, c }))
	if err == nil && !held {
		err = ErrLeaseLost
	}
	return cancelled, err
}

// release releases the lease, or deletes it after DropLease, also when ctx has ended. It
// does nothing if another process took the lease over.
func (w *Writer) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	st := cypher.WriteLeaseRelease
	if w.dropLease {
		st = cypher.SchemaDropLease
	}
	err := w.store.writeOne(ctx, func(tx *transaction) error { return tx.each(ctx, st, w.corpus, w.lease(), nil) })
	return wrap(err, "release the lease of corpus "+w.corpus)
}

// fence locks the lease, and returns ErrLeaseLost if another process took it over.
func (w *Writer) fence(ctx context.Context, tx *transaction) error {
	return w.checkLease(ctx, tx, cypher.WriteFence)
}

// checkLease returns ErrLeaseLost if the statement returns no row because another process
// took the lease over.
func (w *Writer) checkLease(ctx context.Context, tx *transaction, st cypher.Statement) error {
	held, err := tx.one(ctx, st, w.corpus, w.lease())
	if err == nil && held != 1 {
		err = ErrLeaseLost
	}
	return err
}

// EndLease ends a lease whose holder is known to be dead, so that nothing has to wait
// until it expires. If the holder is alive after all, its next write fails with
// ErrLeaseLost. A lease that another process holds by now is left alone.
func (s *Store) EndLease(ctx context.Context, held *LeasedError) error {
	err := s.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseRelease, held.Corpus, map[string]any{"owner": held.Holder, "token": held.token}, nil)
	})
	return wrap(err, "end the lease of corpus "+held.Corpus)
}

// DropLease has the lease of the writer deleted when WithWriter ends, for a corpus that
// exists only as the name of a lease. It is not deleted before: the renewal would take the
// lease for lost.
func (w *Writer) DropLease() { w.dropLease = true }
