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
	Done    int
	Total   int // 0 while unknown
	Failed  int
	Elapsed time.Duration
	Ended   bool
}

// A stage counts what one stage does and reports it to Options.Progress. Stages may
// run concurrently: the mutex of the run guards their counts and the result.
type stage struct {
	r      *run
	writer *neo4jstore.Writer // counts the writes of this stage
	res    StageResult
	total  int
	start  time.Time

	silent bool // does not report progress, because it works for another stage
}

// newStage starts the counts of a stage.
func (r *run) newStage(name string) *stage {
	s := &stage{r: r, writer: r.writer.WithCounters(), start: r.Clock()}
	s.res.Name = name
	s.res.Started = s.start.Sub(r.start).Seconds()
	return s
}

// finish stops the time of a stage and reports its end. A stage with nothing to do is
// in the result too, with zeros, so that the list of stages is always the same.
func (s *stage) finish() {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.res.Seconds = s.r.Clock().Sub(s.start).Seconds()
	s.notify(true)
}

// announcePending returns the number of marks of the stage and adds it to the total.
func (s *stage) announcePending(ctx context.Context) (int, error) {
	marks, err := s.r.store.Pending(ctx, s.r.Corpus)
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
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.total += n
	s.notify(false)
}

// addDone counts n items as done.
func (s *stage) addDone(n int) {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.res.Done += n
	s.notify(false)
}

// addFailure counts an item that failed and adds it to the failures of the run.
func (s *stage) addFailure(key string, err error) {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.res.Failed++
	s.r.result.Failures = append(s.r.result.Failures, Failure{Key: key, Stage: s.res.Name, Reason: err.Error()})
	s.notify(false)
}

// notify reports the progress of the stage. The caller holds the mutex of the run.
func (s *stage) notify(ended bool) {
	if s.silent {
		return
	}
	s.r.Progress(Progress{
		Stage: s.res.Name, Done: s.res.Done, Total: max(s.total, s.res.Done), Failed: s.res.Failed,
		Elapsed: s.r.Clock().Sub(s.start), Ended: ended,
	})
}

// sortedKeys returns the keys of a map in ascending order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
