package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/extract"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/resolve"
)

// Progress is a snapshot of the stage that runs.
type Progress struct {
	Stage   string
	Done    int
	Total   int // 0 while unknown
	Failed  int
	Elapsed time.Duration
	Ended   bool
}

// stage counts what one stage does and tells it to whoever watches. Several
// stages may run at once: their counts, and the result of the run, are held by
// the run's mutex.
type stage struct {
	r      *run
	writer *neo4jstore.Writer // counts the writes of this stage
	res    StageResult
	total  int
	start  time.Time

	silent bool // works for another stage, of which is told
}

// stageTasks are the tasks by which the calls of each stage are counted. All
// vectors count for embed, those of reports too.
var stageTasks = map[string]string{
	"extract": extract.TaskExtract, "describe": resolve.TaskSummarise, "embed": llm.TaskEmbed, "report": report.TaskReport,
}

// newStage starts to count for a stage.
func (r *run) newStage(name string) *stage {
	s := &stage{r: r, writer: r.writer.WithCounters(), start: r.options.Clock()}
	s.res.Name = name
	s.res.Started = s.start.Sub(r.start).Seconds()
	return s
}

// finish takes the time of a stage. A stage with nothing to do leaves a line of
// zeros, so that the list of stages is always the same.
func (s *stage) finish() {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.res.Seconds = s.r.options.Clock().Sub(s.start).Seconds()
	s.notify(true)
}

// announcePending counts the marks of the stage, and announces them.
func (s *stage) announcePending(ctx context.Context) (int, error) {
	marks, err := s.r.store.Pending(ctx, s.r.options.Corpus)
	if err != nil {
		return 0, err
	}
	n := marks[s.res.Name]
	if n > 0 {
		s.addTotal(n)
	}
	return n, nil
}

// addTotal announces n more items.
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

// addFailure counts an item that could not be done.
func (s *stage) addFailure(key string, err error) {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.res.Failed++
	s.r.result.Failures = append(s.r.result.Failures, Failure{Key: key, Stage: s.res.Name, Reason: err.Error()})
	s.notify(false)
}

// notify is called with the run's mutex held.
func (s *stage) notify(ended bool) {
	if s.silent {
		return
	}
	s.r.options.Progress(Progress{
		Stage: s.res.Name, Done: s.res.Done, Total: max(s.total, s.res.Done), Failed: s.res.Failed,
		Elapsed: s.r.options.Clock().Sub(s.start), Ended: ended,
	})
}

// sortedKeys are the keys of a map in ascending order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
