package index

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// Remove deletes a corpus with its indexes, as neo4jstore.Store.DropCorpus does. It
// takes over the lease of a dead process of this machine; any other lease makes it
// return neo4jstore.ErrLeased.
func Remove(ctx context.Context, store *neo4jstore.Store, corpus string) (neo4jstore.Counters, error) {
	owner := leaseOwnerName("to remove " + randomName())
	for {
		done, err := store.DropCorpus(ctx, corpus, owner)
		leased, ok := errors.AsType[*neo4jstore.LeasedError](err)
		if !ok {
			return done, err
		}
		ended, takeErr := takeOver(ctx, store, leased)
		if takeErr != nil {
			return done, takeErr
		}
		if !ended {
			return done, err
		}
	}
}
