package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/panicerr"
)

// A Writer is the one lane of write transactions of a corpus: they run one after
// the other, whoever calls, and each first checks that the lease still holds.
// It is valid inside WithWriter, and safe for concurrent use.
type Writer struct {
	whole  *Writer // that this one is a part of; nil for the whole
	store  *Store
	corpus string
	owner  string
	token  int64
	ttl    time.Duration

	mu       sync.Mutex // held for the length of a write transaction
	countMu  sync.Mutex
	counters Counters
}

// WithWriter takes the lease of the corpus, runs fn with the lane and gives the
// lease back, also when ctx is cancelled. The owner is a name that no other
// process has. A lease holds for ttl (0 is 30 seconds) and is renewed while fn
// runs; when another process took it over, the context of fn is cancelled with
// the cause ErrLeaseLost, and nothing more can be written. ErrLeased: another
// process holds it.
func (s *Store) WithWriter(ctx context.Context, corpus, owner string, ttl time.Duration, fn func(context.Context, *Writer) error) error {
	if err := graph.CheckCorpus(corpus); err != nil {
		return err
	}
	if ttl <= 0 {
		ttl = leaseTTL
	}
	l := &Writer{store: s, corpus: corpus, owner: owner, ttl: ttl}
	if err := l.acquire(ctx); err != nil {
		return err
	}
	inner, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { l.renew(inner, cancel) })
	err := panicerr.Catch(func() error { return fn(inner, l) })
	if cause := context.Cause(inner); err != nil && errors.Is(cause, ErrLeaseLost) && !errors.Is(err, ErrLeaseLost) {
		err = fmt.Errorf("writing corpus %s: %w (%w)", corpus, cause, err)
	}
	cancel(nil)
	renewing.Wait()
	released := l.release(ctx)
	if err == nil {
		return released
	}
	if released != nil {
		s.logger.DebugContext(ctx, "the lease stays until it runs out", "corpus", corpus, "cause", released)
	}
	return err
}

// WithCounters is the same lane with counters of its own, which the lane counts too.
func (l *Writer) WithCounters() *Writer {
	whole := l
	if l.whole != nil {
		whole = l.whole
	}
	return &Writer{whole: whole, store: l.store, corpus: l.corpus, owner: l.owner, token: l.token, ttl: l.ttl}
}

func (l *Writer) count(changed Counters) {
	l.countMu.Lock()
	defer l.countMu.Unlock()
	l.counters.plus(changed)
}

// Counters are the changes that the server counted in this lane so far. The
// lease and the record of the run are left out.
func (l *Writer) Counters() Counters {
	l.countMu.Lock()
	defer l.countMu.Unlock()
	return l.counters
}

// write runs one write transaction of the lane. The body runs again after a
// deadlock or a lost connection, so it starts from nothing each time. The
// point names what it wrote.
func (l *Writer) write(ctx context.Context, point string, body func(tx *transaction) error) error {
	return l.commit(ctx, point, true, body)
}

func (l *Writer) commit(ctx context.Context, point string, counted bool, body func(tx *transaction) error) error {
	whole := l
	if l.whole != nil {
		whole = l.whole
	}
	whole.mu.Lock()
	defer whole.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var changed Counters
	err := retry(ctx, l.store.logger, nil, func() error {
		return l.store.attempt(ctx, neo4j.AccessModeWrite, func(tx *transaction) error {
			start := time.Now()
			if err := l.fence(ctx, tx); err != nil {
				return err
			}
			tx.counters = Counters{}
			if err := body(tx); err != nil {
				return err
			}
			changed = tx.counters
			if time.Since(start) > l.ttl/3 {
				// The renewal waits for the lock that this transaction holds.
				return l.extend(ctx, tx)
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("write %s of corpus %s: %w", point, l.corpus, err)
	}
	if counted {
		l.count(changed)
		if whole != l {
			whole.count(changed)
		}
	}
	if l.store.fault != nil {
		return l.store.fault(point)
	}
	return nil
}
