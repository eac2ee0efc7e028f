package runs

import (
	"context"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// InStore returns the queue of all processes that use a store: a request is kept with the lease of its corpus. ended
// reports whether the owner of a lease is known to be dead.
func InStore(store *neo4jstore.Store, ended func(owner string) bool) Queue {
	return storeQueue{store, ended}
}

type storeQueue struct {
	store *neo4jstore.Store
	ended func(owner string) bool
}

func (q storeQueue) Request(ctx context.Context, r Request) error {
	return q.store.RequestRun(ctx, r.Corpus, r.Confirm)
}

func (q storeQueue) Requested(ctx context.Context, quiet time.Duration) ([]string, error) {
	return q.store.RequestedRuns(ctx, quiet, q.ended)
}

func (q storeQueue) Cancel(ctx context.Context, corpus string) error {
	return q.store.CancelRun(ctx, corpus)
}

func (q storeQueue) State(ctx context.Context, corpus string) (State, error) {
	l, err := q.store.Lease(ctx, corpus)
	s := State{State: Idle, Stages: []Progress{}, Failed: []Failure{}}
	switch {
	case l.Owner != "" && !q.ended(l.Owner):
		s.State, s.Holder, s.Age, s.Calls = Running, l.Holder(), int(l.Age.Seconds()), l.Progress.Calls
		if l.Progress.Stage != "" {
			s.Stages = append(s.Stages, Progress{Stage: l.Progress.Stage, Done: l.Progress.Done, Total: l.Progress.Total})
		}
	case l.Requested:
		s.State = Waiting
	case l.Failure != "":
		s.State, s.Message = Failed, l.Failure
	}
	return s, err
}
