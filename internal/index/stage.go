package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Progress is a snapshot of a running stage.
type Progress struct {
	Stage   string
	Done    int // what is stored
	Total   int // 0 while unknown
	Failed  int
	Elapsed time.Duration
	Ended   bool
}

// A stage is what the code of one stage works with. It counts what is done, and reports it to
// Options.Progress. Stages may run concurrently: the mutex of the outcome guards their counts.
type stage struct {
	*effective

	store  *neo4jstore.Store
	writer *neo4jstore.Writer // counts the writes of this stage
	shared *run               // what the stages of a run share
	res    StageResult
	total  int
	start  time.Time

	silent bool // does not report progress, because it works for another stage
}

// newStage starts the counts of a stage.
func (r *run) newStage(name string) *stage {
	start := r.Clock()
	return &stage{effective: r.effective, store: r.store, writer: r.writer.WithCounters(), shared: r, start: start, res: StageResult{Name: name, Started: start.Sub(r.start).Seconds()}}
}

// silently returns a stage that works for this one.
func (s *stage) silently(name string) *stage {
	return &stage{effective: s.effective, store: s.store, writer: s.writer, shared: s.shared, start: s.start, res: StageResult{Name: name}, silent: true}
}

// finish stops the time of a stage and reports its end. A stage with nothing to do is
// in the result too, with zeros, so that the list of stages is always the same.
func (s *stage) finish() {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	s.res.Seconds = s.Clock().Sub(s.start).Seconds()
	s.notify(true)
}

// announcePending returns the number of marks of the stage and adds it to the total.
func (s *stage) announcePending(ctx context.Context) (int, error) {
	marks, err := s.store.Pending(ctx, s.Corpus)
	if err != nil {
		return 0, err
	}
	n := marks[s.res.Name]
	if n > 0 {
		s.addTotal(n)
	}
	return n, nil
}

// addTotal adds n items to the total.
func (s *stage) addTotal(n int) {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	s.total += n
	s.notify(false)
}

// expect adds n items to the total of a stage, which may not have begun.
func (r *run) expect(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.started[name]; s != nil {
		s.total += n
		s.notify(false)
	} else {
		r.expected[name] += n
	}
}

// begin starts a stage of the schedule, with the items that are expected.
func (r *run) begin(name string) *stage {
	s := r.newStage(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started[name], s.total = s, r.expected[name]
	if s.total > 0 {
		s.notify(false)
	}
	return s
}

// addDone counts n items as done.
func (s *stage) addDone(n int) {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	s.res.Done += n
	s.notify(false)
}

// addFailure counts an item that failed and adds it to the failures of the run.
func (s *stage) addFailure(key string, err error) {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	s.res.Failed++
	s.shared.result.Failures = append(s.shared.result.Failures, Failure{Key: key, Stage: s.res.Name, Reason: err.Error()})
	s.notify(false)
}

// notify reports the progress of the stage. The caller holds the mutex of the run.
func (s *stage) notify(ended bool) {
	if s.silent {
		return
	}
	p := Progress{
		Stage: s.res.Name, Done: s.res.Done, Total: max(s.total, s.res.Done+s.res.Failed), Failed: s.res.Failed,
		Elapsed: s.Clock().Sub(s.start), Ended: ended,
	}
	s.Progress(p)
	if !ended {
		s.writer.SetProgress(neo4jstore.Progress{Stage: p.Stage, Done: p.Done, Total: p.Total, Calls: s.Meter.Total().Calls})
	}
}

// sortedKeys returns the keys of a map in ascending order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
