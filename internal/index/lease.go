package index

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// leaseTTL is how long the lease of a run that was killed keeps out runs that
// cannot see that it is dead.
const leaseTTL = 10 * time.Second

// withWriter takes the lease. It takes over at once from a process of this
// machine that is gone, and else waits for a lease that a killed run left to
// expire. A run that is alive renews its lease, so that the wait ends with
// ErrLeased. The function learns whether another run held the lease until now.
func (x *Indexer) withWriter(ctx context.Context, fn func(ctx context.Context, writer *neo4jstore.Writer, after bool) error) error {
	wait := cmp.Or(x.options.Wait, leaseTTL+2*time.Second)
	deadline := time.Now().Add(wait)
	after, told := false, false
	for {
		err := x.store.WithWriter(ctx, x.options.Corpus, leaseOwnerName(x.options.Owner), leaseTTL, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return fn(ctx, writer, after)
		})
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok {
			return err
		}
		after = true
		ended, takeErr := takeOver(ctx, x.store, leased)
		if takeErr != nil {
			return takeErr
		}
		if ended {
			x.log.InfoContext(ctx, "the run that held the corpus has ended; going on from where it stopped", "corpus", x.options.Corpus, "holder", leased.Holder)
			continue
		}
		if time.Now().After(deadline) {
			return err
		}
		if !told {
			told = true
			x.log.WarnContext(ctx, "another run holds the corpus; waiting in case it ends", "corpus", x.options.Corpus, "holder", leased.Holder, "seconds", wait.Seconds())
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(leaseTTL / 20):
		}
	}
}

// takeOver ends a lease whose holder, a process of this machine, is gone.
func takeOver(ctx context.Context, store *neo4jstore.Store, leased *neo4jstore.LeasedError) (ended bool, err error) {
	if h, known := parseLeaseOwner(leased.Holder); !known || !h.hasEnded() {
		return false, nil
	}
	return true, store.EndLease(ctx, leased)
}
