package index

import (
	"context"
	"log/slog"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Remove deletes a corpus with its indexes, as neo4jstore.Store.DropCorpus does. It
// waits for the lease as a run does: a live run makes it return neo4jstore.ErrLeased.
func Remove(ctx context.Context, store *neo4jstore.Store, corpus string) (done neo4jstore.Counters, err error) {
	owner := leaseOwnerName("to remove " + randomName())
	w := leaseWaiter{store, slog.New(slog.DiscardHandler), corpus, leaseWait}
	err = w.retry(ctx, func(bool) error {
		var err error
		done, err = store.DropCorpus(ctx, corpus, owner)
		return err
	})
	return done, err
}
