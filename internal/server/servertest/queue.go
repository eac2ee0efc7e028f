package servertest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Queue keeps requests for runs in memory, as the store does, for tests whose runs take no lease.
type Queue struct {
	mu      sync.Mutex
	corpora map[string]*queued
}

type queued struct {
	confirm   bool
	requested time.Time // zero without a request
	started   time.Time
	running   bool
	failure   string
}

// NewQueue returns a queue without a request.
func NewQueue() *Queue { return &Queue{corpora: map[string]*queued{}} }

// of calls do with what is known of a corpus.
func (q *Queue) of(corpus string, do func(*queued)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.corpora[corpus] == nil {
		q.corpora[corpus] = &queued{}
	}
	do(q.corpora[corpus])
}

// Request implements runs.Queue.
func (q *Queue) Request(_ context.Context, r runs.Request) error {
	q.of(r.Corpus, func(c *queued) { c.requested, c.confirm, c.failure = time.Now(), c.confirm || r.Confirm, "" })
	return nil
}

// Requested implements runs.Queue.
func (q *Queue) Requested(_ context.Context, quiet time.Duration) (names []string, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(q.corpora)) {
		if c := q.corpora[name]; !c.requested.IsZero() && !c.running && time.Since(c.requested) >= quiet {
			names = append(names, name)
		}
	}
	return names, nil
}

// Cancel implements runs.Queue.
func (q *Queue) Cancel(_ context.Context, corpus string) error {
	q.of(corpus, func(c *queued) { c.requested, c.confirm = time.Time{}, false })
	return nil
}

// State implements runs.Queue.
func (q *Queue) State(_ context.Context, corpus string) (runs.State, error) {
	state := runs.State{State: runs.Idle, Stages: []runs.Progress{}, Failed: []runs.Failure{}}
	q.of(corpus, func(c *queued) {
		switch {
		case c.running:
			state.State = runs.Running
		case !c.requested.IsZero():
			state.State = runs.Waiting
		case c.failure != "":
			state.State, state.Message = runs.Failed, c.failure
		}
	})
	return state, nil
}

// Index returns a runs.Options.Index that calls index with a request.
func (q *Queue) Index(index func(context.Context, runs.Request, func(runs.Progress)) (runs.Result, error)) func(context.Context, string, func(runs.Progress)) (runs.Result, error) {
	return func(ctx context.Context, corpus string, progress func(runs.Progress)) (runs.Result, error) {
		r, begun := runs.Request{Corpus: corpus}, false
		q.of(corpus, func(c *queued) {
			if begun = !c.requested.IsZero() && !c.running; begun {
				c.running, c.started, r.Confirm, c.confirm, c.failure = true, time.Now(), c.confirm, false, ""
			}
		})
		if !begun {
			return runs.Result{}, neo4jstore.ErrNotRequested
		}
		result, err := index(ctx, r, progress)
		q.of(corpus, func(c *queued) {
			if c.running = false; ctx.Err() != nil {
				return // the request stays
			}
			if err != nil {
				c.failure = err.Error()
			}
			if !c.requested.After(c.started) {
				c.requested = time.Time{}
			}
		})
		return result, err
	}
}
