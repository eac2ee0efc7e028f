package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
)

// leaseTTL is how long a lease is valid without being renewed.
const leaseTTL = 30 * time.Second

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

func (w *Writer) acquire(ctx context.Context) error {
	var holder string
	var until time.Time
	err := w.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseAcquire, w.corpus, map[string]any{"owner": w.owner, "ttl": w.ttl.Milliseconds()}, func(r *neo4j.Record) error {
			v := values(r.AsMap())
			w.token, holder, until = v.whole("token"), v.text("holder"), time.UnixMilli(v.whole("until"))
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("take the lease of corpus %s: %w", w.corpus, err)
	}
	if holder != w.owner {
		return &LeasedError{Corpus: w.corpus, Holder: holder, Until: until, token: w.token}
	}
	return nil
}

// renew renews the lease until ctx ends, and cancels with ErrLeaseLost when the lease
// is lost. It keeps trying while the server is unreachable: only the server knows
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
		err := w.store.writeOne(ctx, func(tx *transaction) error { return w.extend(ctx, tx) })
		if errors.Is(err, ErrLeaseLost) {
			cancel(fmt.Errorf("corpus %s: %w", w.corpus, err))
			return
		}
		if err != nil && ctx.Err() == nil {
			w.store.logger.WarnContext(ctx, "lease not renewed", "corpus", w.corpus, "cause", err)
		}
	}
}

func (w *Writer) extend(ctx context.Context, tx *transaction) error {
	until, err := tx.one(ctx, cypher.WriteLeaseRenew, w.corpus, w.lease(), "until")
	if err == nil && until == 0 {
		err = ErrLeaseLost
	}
	return err
}

// release releases the lease, also when ctx has ended. It does nothing if another
// process took the lease over.
func (w *Writer) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := w.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseRelease, w.corpus, w.lease(), nil)
	})
	if err != nil {
		return fmt.Errorf("release the lease of corpus %s: %w", w.corpus, err)
	}
	return nil
}

// fence locks the lease, and returns ErrLeaseLost if another process took it over.
func (w *Writer) fence(ctx context.Context, tx *transaction) error {
	held, err := tx.one(ctx, cypher.WriteFence, w.corpus, w.lease(), "held")
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
	if err != nil {
		return fmt.Errorf("end the lease of corpus %s: %w", held.Corpus, err)
	}
	return nil
}

// DropLease deletes the lease of the writer, for a corpus that exists only as the name
// of a lease. It leaves the lease of another process alone. The statement checks the
// lease itself: a fence would fail when it runs again because the answer to its commit
// was lost.
func (w *Writer) DropLease(ctx context.Context) error {
	err := w.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.SchemaDropLease, w.corpus, w.lease(), nil)
	})
	if err != nil {
		return fmt.Errorf("delete the lease of corpus %s: %w", w.corpus, err)
	}
	return nil
}
