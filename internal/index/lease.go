package index

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// leaseWait is how long a run waits for a lease that is not renewed to expire.
const leaseWait = neo4jstore.LeaseTTL + 2*time.Second

// withWriter acquires the lease and calls fn with its writer. It waits as a leaseWaiter
// does. waited is true if another run held the lease before.
func (x *Indexer) withWriter(ctx context.Context, fn func(ctx context.Context, writer *neo4jstore.Writer, waited bool) error) error {
	if x.requested.held != nil {
		return fn(ctx, x.requested.held, false)
	}
	ctx = llm.WithUsers(ctx, x.requested.Corpus)
	w := leaseWaiter{x.store, x.requested.Logger, x.requested.Corpus, cmp.Or(x.requested.Wait, leaseWait)}
	return w.retry(ctx, func(waited bool) error {
		return x.store.WithWriter(ctx, x.requested.Corpus, leaseOwnerName(x.requested.Owner), neo4jstore.LeaseTTL, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return fn(ctx, writer, waited)
		})
	})
}

// A leaseWaiter repeats what fails because another process holds the lease of a corpus. It
// immediately takes over the lease of a process of this machine that is dead. It waits for
// any other lease to expire, as the lease of a killed run does; a live run renews its lease, so
// that the wait ends with ErrLeased.
type leaseWaiter struct {
	store  *neo4jstore.Store
	log    *slog.Logger
	corpus string
	wait   time.Duration
}

// retry calls try until it returns another error than ErrLeased, or the wait is over.
// waited is true if another process held the lease before.
func (w leaseWaiter) retry(ctx context.Context, try func(waited bool) error) error {
	deadline := time.Now().Add(w.wait)
	waited, logged := false, false
	for {
		err := try(waited)
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok {
			return err
		}
		waited = true
		ended, takeErr := takeOver(ctx, w.store, leased)
		if takeErr != nil {
			return takeErr
		}
		if ended {
			w.log.InfoContext(ctx, "the run that held the corpus has ended; continuing where it stopped", "corpus", w.corpus, "holder", leased.Holder)
			continue
		}
		if time.Now().After(deadline) {
			return err
		}
		if !logged {
			logged = true
			w.log.WarnContext(ctx, "another run holds the corpus; waiting in case it ends", "corpus", w.corpus, "holder", leased.Holder, "seconds", w.wait.Seconds())
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
	if !LeaseOwnerEnded(leased.Holder) {
		return false, nil
	}
	return true, store.EndLease(ctx, leased)
}
