package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
)

// leaseTTL is how long a lease holds without being renewed.
const leaseTTL = 30 * time.Second

// A LeasedError says who holds the lease of a corpus. It is ErrLeased.
type LeasedError struct {
	Corpus string
	Holder string    // the owner that was given to WithWriter
	Until  time.Time // when the lease runs out unless it is renewed

	token int64
}

func (e *LeasedError) Error() string {
	return fmt.Sprintf("corpus %s: %s: %s, until %s unless it goes on; wait for it or stop it",
		e.Corpus, ErrLeased, e.Holder, e.Until.Format(time.TimeOnly))
}

func (e *LeasedError) Unwrap() error { return ErrLeased }

func (l *Writer) lease() map[string]any {
	return map[string]any{"owner": l.owner, "token": l.token, "ttl": l.ttl.Milliseconds()}
}

func (l *Writer) acquire(ctx context.Context) error {
	var holder string
	var until time.Time
	err := l.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseAcquire, l.corpus, map[string]any{"owner": l.owner, "ttl": l.ttl.Milliseconds()}, func(r *neo4j.Record) error {
			v := values(r.AsMap())
			l.token, holder, until = v.whole("token"), v.text("holder"), time.UnixMilli(v.whole("until"))
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("take the lease of corpus %s: %w", l.corpus, err)
	}
	if holder != l.owner {
		return &LeasedError{Corpus: l.corpus, Holder: holder, Until: until, token: l.token}
	}
	return nil
}

// renew keeps the lease until ctx ends, or says that it is lost. A server that
// cannot be reached is asked again: only the server knows whether the lease
// holds, and the fence keeps the writes safe.
func (l *Writer) renew(ctx context.Context, cancel context.CancelCauseFunc) {
	ticker := time.NewTicker(max(l.ttl/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := l.store.writeOne(ctx, func(tx *transaction) error { return l.extend(ctx, tx) })
		if errors.Is(err, ErrLeaseLost) {
			cancel(fmt.Errorf("corpus %s: %w", l.corpus, err))
			return
		}
		if err != nil && ctx.Err() == nil {
			l.store.logger.WarnContext(ctx, "could not renew the lease", "corpus", l.corpus, "cause", err)
		}
	}
}

func (l *Writer) extend(ctx context.Context, tx *transaction) error {
	until, err := tx.one(ctx, cypher.WriteLeaseRenew, l.corpus, l.lease(), "until")
	if err == nil && until == 0 {
		err = ErrLeaseLost
	}
	return err
}

// release gives the lease back with a context of its own, since the one of the
// caller may have ended. A lease that another process took over is left alone.
func (l *Writer) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := l.store.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseRelease, l.corpus, l.lease(), nil)
	})
	if err != nil {
		return fmt.Errorf("give back the lease of corpus %s: %w", l.corpus, err)
	}
	return nil
}

// fence locks the lease and stops a writer whose lease was taken over.
func (l *Writer) fence(ctx context.Context, tx *transaction) error {
	held, err := tx.one(ctx, cypher.WriteFence, l.corpus, l.lease(), "held")
	if err == nil && held != 1 {
		err = ErrLeaseLost
	}
	return err
}

// EndLease ends a lease whose holder is known to be dead, so that nobody has
// to wait until it runs out. Should the holder live, its next write fails with
// ErrLeaseLost, as after any lease that was taken over. A lease that has
// passed on to somebody else stays as it is.
func (s *Store) EndLease(ctx context.Context, held *LeasedError) error {
	err := s.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteLeaseRelease, held.Corpus, map[string]any{"owner": held.Holder, "token": held.token}, nil)
	})
	if err != nil {
		return fmt.Errorf("end the lease of corpus %s: %w", held.Corpus, err)
	}
	return nil
}

// DropLease removes the lease that the lane holds, of a corpus that is no more
// than a name for it.
func (l *Writer) DropLease(ctx context.Context) error {
	return l.commit(ctx, "dropped lease", false, func(tx *transaction) error {
		return tx.each(ctx, cypher.SchemaDropLease, l.corpus, nil, nil)
	})
}
