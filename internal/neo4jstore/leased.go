package neo4jstore

import (
	"context"
	"fmt"
	"time"

	"github.com/neorag/neorag/cypher"
)

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
