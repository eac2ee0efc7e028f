package index

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// withWriter acquires the lease and calls fn with its writer. It immediately takes over
// the lease of a process of this machine that is dead. It waits for any other lease to
// expire, as that of a killed run does; a live run renews its lease, so that the wait
// ends with ErrLeased. waited is true if another run held the lease before.
func (x *Indexer) withWriter(ctx context.Context, fn func(ctx context.Context, writer *neo4jstore.Writer, waited bool) error) error {
	wait := cmp.Or(x.options.Wait, neo4jstore.LeaseTTL+2*time.Second)
	deadline := time.Now().Add(wait)
	waited, logged := false, false
	for {
		err := x.store.WithWriter(ctx, x.options.Corpus, leaseOwnerName(x.options.Owner), neo4jstore.LeaseTTL, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return fn(ctx, writer, waited)
		})
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok {
			return err
		}
		waited = true
		ended, takeErr := takeOver(ctx, x.store, leased)
		if takeErr != nil {
			return takeErr
		}
		if ended {
			x.log.InfoContext(ctx, "the run that held the corpus has ended; continuing where it stopped", "corpus", x.options.Corpus, "holder", leased.Holder)
			continue
		}
		if time.Now().After(deadline) {
			return err
		}
		if !logged {
			logged = true
			x.log.WarnContext(ctx, "another run holds the corpus; waiting in case it ends", "corpus", x.options.Corpus, "holder", leased.Holder, "seconds", wait.Seconds())
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(neo4jstore.LeaseTTL / 20):
		}
	}
}

// takeOver ends a lease if its owner is a dead process of this machine.
func takeOver(ctx context.Context, store *neo4jstore.Store, leased *neo4jstore.LeasedError) (ended bool, err error) {
	if h, known := parseLeaseOwner(leased.Holder); !known || !h.hasEnded() {
		return false, nil
	}
	return true, store.EndLease(ctx, leased)
}
