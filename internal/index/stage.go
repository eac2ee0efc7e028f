package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

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

// each computes fn for every item, at most limit at once, and hands the results
// to sink in the order of the items, from the caller's goroutine. At most
// 2*limit results wait for the sink. The first error ends both sides.
func each[T, R any](ctx context.Context, limit int, items []T, fn func(context.Context, T) (R, error), sink func(R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g, gctx := errgroup.WithContext(ctx)
	waiting := make(chan chan R, max(2*limit, 1))
	g.Go(func() error {
		defer close(waiting)
		work, wctx := errgroup.WithContext(gctx)
		work.SetLimit(max(limit, 1))
		for _, item := range items {
			slot := make(chan R, 1)
			select {
			case waiting <- slot:
			case <-wctx.Done():
				return work.Wait()
			}
			work.Go(func() error {
				v, err := guard(wctx, item, fn)
				if err != nil {
					return err
				}
				slot <- v
				return nil
			})
		}
		return work.Wait()
	})
	err := drain(gctx, waiting, sink)
	if err != nil && !errors.Is(err, errStopped) {
		cancel(err)
	}
	if werr := g.Wait(); werr != nil && (err == nil || errors.Is(err, errStopped)) {
		return werr
	}
	if errors.Is(err, errStopped) {
		return context.Cause(ctx)
	}
	return err
}

// errStopped says that the computing side ended first and knows why.
var errStopped = errors.New("stopped")

// drain hands results to sink in order until there are no more.
func drain[R any](ctx context.Context, waiting <-chan chan R, sink func(R) error) error {
	for slot := range waiting {
		select {
		case v := <-slot:
			if err := sink(v); err != nil {
				return err
			}
		case <-ctx.Done():
			return errStopped
		}
	}
	return nil
}

// guard turns a panic in fn into an error with its stack, so that one bad
// document names itself instead of ending the process.
func guard[T, R any](ctx context.Context, item T, fn func(context.Context, T) (R, error)) (v R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(ctx, item)
}

// sortedKeys are the keys of a map in ascending order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
