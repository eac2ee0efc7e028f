package neo4jstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/text"
)

// Progress is what a run stores for other processes with each renewal of its lease: a stage that is under way.
type Progress struct {
	Stage string `json:"stage"`
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0 while it is not known
	Calls int64  `json:"calls"` // of models, of the whole run so far
}

// text returns what is stored, nil without progress. It has less than 200 bytes.
func (p *Progress) text() any {
	if p == nil {
		return nil
	}
	raw, err := json.Marshal(p)
	if err != nil { // it holds only a name and numbers
		return nil
	}
	return string(raw)
}

// SetProgress sets what the next renewal of the lease stores.
func (w *Writer) SetProgress(p Progress) { w.main().progress.Store(&p) }

// A Lease is what the store knows of the runs of a corpus.
type Lease struct {
	Owner     string        // that holds the lease; empty without one
	Progress  Progress      // of the holder; zero until the first renewal
	Age       time.Duration // of Progress
	Requested bool          // a run is requested that has not ended
	Failure   string        // why the last requested run failed, unless another run followed
}

// Holder returns the owner without what it has in brackets for programs.
func (l Lease) Holder() string {
	holder, _, _ := strings.Cut(l.Owner, " [")
	return holder
}

// Lease reads the lease of a corpus, which need not exist.
func (s *Store) Lease(ctx context.Context, corpus string) (Lease, error) {
	row, err := firstRow(ctx, s, readLease, corpus, nil, nil)
	if err != nil {
		return Lease{}, fmt.Errorf("read the lease of corpus %s: %w", corpus, err)
	}
	l := Lease{Owner: row.Owner, Age: time.Duration(row.Age) * time.Millisecond, Requested: row.Requested, Failure: row.Failure}
	if json.Unmarshal([]byte(row.Progress), &l.Progress) != nil {
		l.Progress = Progress{}
	}
	return l, nil
}

// RequestRun stores a request for a run of a corpus, which need not exist. With confirm, the run may redo or
// delete what a model made. It waits for the transaction of a run that is under way.
func (s *Store) RequestRun(ctx context.Context, corpus string, confirm bool) error {
	err := s.EnsureSchema(ctx)
	if err == nil {
		err = s.writeOne(ctx, func(tx *transaction) error {
			return tx.each(ctx, cypher.WriteRunRequested, corpus, map[string]any{"confirm": confirm}, nil)
		})
	}
	return wrap(err, "request a run of corpus "+corpus)
}

// RequestedRuns lists the corpora for which a run was requested at least quiet ago, in order, except for those that a
// process writes. ended reports whether an owner is known to be dead; nil: it is not known.
func (s *Store) RequestedRuns(ctx context.Context, quiet time.Duration, ended func(owner string) bool) (corpora []string, err error) {
	err = eachRow(ctx, s, readRunsRequested, "", map[string]any{"quiet": quiet.Milliseconds()}, func(row runsRequestedRow) {
		if row.Owner == "" || ended != nil && ended(row.Owner) {
			corpora = append(corpora, row.Corpus)
		}
	})
	return corpora, wrap(err, "list requested runs")
}

// CancelRun removes the request for a run, and has the process that holds the lease cancelled when it renews it.
func (s *Store) CancelRun(ctx context.Context, corpus string) error {
	err := s.writeOne(ctx, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteRunCancelled, corpus, nil, nil)
	})
	return wrap(err, "cancel the run of corpus "+corpus)
}

// StartRun starts the run that was requested. confirmed reports whether a request has confirm. The error is
// ErrNotRequested if another process has run it. A request is left until EndRun, so that another process runs it
// if this one dies.
func (w *Writer) StartRun(ctx context.Context) (confirmed bool, err error) {
	found := false
	err = w.commit(ctx, "start of a run", false, func(tx *transaction) error {
		found = false
		return tx.each(ctx, cypher.WriteRunStarted, w.corpus, nil, writeRunStarted.each(func(c bool) { found, confirmed = true, c }))
	})
	if err == nil && !found {
		err = fmt.Errorf("corpus %s: %w", w.corpus, ErrNotRequested)
	}
	return confirmed, err
}

// maxFailure is how much is stored of the reason why a run failed, in bytes.
const maxFailure = 500

// EndRun removes the requests that came before StartRun. A failure is the reason why the run failed.
func (w *Writer) EndRun(ctx context.Context, failure string) error {
	return w.commit(ctx, "end of a run", false, func(tx *transaction) error {
		return tx.each(ctx, cypher.WriteRunEnded, w.corpus, map[string]any{"failure": optional(text.Truncate(failure, maxFailure))}, nil)
	})
}
