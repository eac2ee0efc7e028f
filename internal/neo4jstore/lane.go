package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// leaseTTL is how long a lease holds without being renewed.
const leaseTTL = 30 * time.Second

// Counters are what the server says it changed.
type Counters struct {
	Nodes         int64 // created
	Relationships int64 // created
	Properties    int64 // set
	Labels        int64 // added or removed
	Deleted       int64 // nodes and relationships
}

// Total is the number of changes.
func (c Counters) Total() int64 {
	return c.Nodes + c.Relationships + c.Properties + c.Labels + c.Deleted
}

func (c *Counters) add(s neo4j.Counters) {
	c.Nodes += int64(s.NodesCreated())
	c.Relationships += int64(s.RelationshipsCreated())
	c.Properties += int64(s.PropertiesSet())
	c.Labels += int64(s.LabelsAdded() + s.LabelsRemoved())
	c.Deleted += int64(s.NodesDeleted() + s.RelationshipsDeleted())
}

func (c *Counters) plus(o Counters) {
	c.Nodes += o.Nodes
	c.Relationships += o.Relationships
	c.Properties += o.Properties
	c.Labels += o.Labels
	c.Deleted += o.Deleted
}

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
	err := recovered(func() error { return fn(inner, l) })
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

// recovered turns a panic into an error, so that the lease is given back.
func recovered(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return fn()
}

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

// fence locks the lease and stops a writer whose lease was taken over.
func (l *Writer) fence(ctx context.Context, tx *transaction) error {
	held, err := tx.one(ctx, cypher.WriteFence, l.corpus, l.lease(), "held")
	if err == nil && held != 1 {
		err = ErrLeaseLost
	}
	return err
}

// exactly runs a statement that returns the number of its rows as n and fails
// with ErrMissingEnd when that is not what was meant: a row whose node does
// not exist is dropped by the server in silence.
func (t *transaction) exactly(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, want int) error {
	n, err := t.one(ctx, st, corpus, params, "n")
	if err != nil {
		return err
	}
	if n != int64(want) {
		return fmt.Errorf("statement %s: %w: %d of %d rows were written", st, ErrMissingEnd, n, want)
	}
	return nil
}

// halving writes rows, and in halves where the server finds them too many for
// one transaction.
func halving[T any](rows []T, write func([]T) error) error {
	err := write(rows)
	if len(rows) < 2 || !tooMuch(err) {
		return err
	}
	middle := len(rows) / 2
	if err := halving(rows[:middle], write); err != nil {
		return err
	}
	return halving(rows[middle:], write)
}

// tooMuch says that fewer rows may pass.
func tooMuch(err error) bool { return errors.Is(err, ErrMemory) || errors.Is(err, errTooLong) }

// batches writes rows in pieces whose weights sum to at most limit, each piece
// at least one row, halved where memory is short.
func batches[T any](rows []T, limit int, weight func(T) int, write func([]T) error) error {
	for len(rows) > 0 {
		n, sum := 0, 0
		for n < len(rows) && (n == 0 || sum+weight(rows[n]) <= limit) {
			sum += weight(rows[n])
			n++
		}
		if err := halving(rows[:n], write); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// eachOne counts a row as one.
func eachOne[T any](T) int { return 1 }

// sortRows puts rows into the order of their keys: locks are then taken in one order.
func sortRows(rows []any) {
	key := func(row any) string {
		m, _ := row.(map[string]any)
		s, _ := m["key"].(string)
		return s
	}
	slices.SortFunc(rows, func(a, b any) int { return strings.Compare(key(a), key(b)) })
}
