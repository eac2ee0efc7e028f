// Package runs decides when the corpora of a server are indexed: one run of a corpus at the same time, a few of
// all, each a moment after the last request for it.
//
// What comes in are requests and a function that runs the index; what goes out is the state of each corpus.
// Nothing is stored: what a killed process did not finish is marked in the graph, and the next run of the corpus
// continues there.
package runs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Options configure Runs. Index is required.
type Options struct {
	// Index runs the index of a corpus. It calls progress often, never concurrently.
	Index func(ctx context.Context, r Request, progress func(Progress)) (Result, error)
	Quiet time.Duration // between the last request for a corpus and its run, so that uploads are indexed together; 0 means 2 seconds
	Most  int           // runs at the same time, of different corpora; 0 means 2
	// Explain returns what a client sees of an error: a message, and what to do.
	Explain func(error) (message, hint string)
	Clock   func() time.Time // nil means time.Now
}

const (
	maxFailed    = 100
	defaultQuiet = 2 * time.Second
	defaultMost  = 2
)

// A Request asks for a run.
type Request struct {
	Corpus  string
	Confirm bool // the run may redo or delete what a model made
}

// Progress is a snapshot of a stage of a run.
type Progress struct {
	Stage  string  `json:"stage"`
	Done   int     `json:"done"`
	Total  int     `json:"total" doc:"0 while it is not known"`
	Failed int     `json:"failed"`
	Ended  bool    `json:"ended"`
	Calls  int64   `json:"-"` // of the whole run so far
	Cost   float64 `json:"-"`
}

// A Result is what a run did.
type Result struct {
	Calls  int64
	Cost   float64
	Failed []Failure // items that failed, which the next run tries again
	Notes  []string  // what a person should know of the run
}

// A Failure is an item, such as a file, on which a run failed.
type Failure struct {
	Item   string `json:"item"`
	Reason string `json:"reason"`
}

// A State is what a corpus is doing.
type State struct {
	State   string     `json:"state" enum:"idle,waiting,running,failed"`
	Stages  []Progress `json:"stages" doc:"Of the run that is under way, or of the last one, in the order in which they began"`
	Calls   int64      `json:"calls" doc:"Of models in that run"`
	Cost    float64    `json:"cost"`
	Failed  []Failure  `json:"failed" doc:"Items that failed, which the next run tries again; at most 100"`
	Since   *time.Time `json:"since,omitempty" doc:"When the state began"`
	Message string     `json:"message,omitempty" doc:"Why the last run failed"`
	Hint    string     `json:"hint,omitempty" doc:"What to do"`
	Notes   []string   `json:"notes,omitempty"`
}

// States of a corpus.
const (
	Idle    = "idle"
	Waiting = "waiting"
	Running = "running"
	Failed  = "failed"
)

// ErrCancelled is the cause of the end of a run that a client cancelled.
var ErrCancelled = errors.New("cancelled")

// Runs runs what is requested while Serve is running. It is safe for concurrent use.
type Runs struct {
	options Options
	wake    chan struct{}

	mu      sync.Mutex
	corpora map[string]*corpus
	running int
}

// A corpus is the state of a corpus, its request if one waits, and its run.
type corpus struct {
	state   State
	request *Request
	due     time.Time
	cancel  context.CancelCauseFunc // of the run that is under way; nil if there is none
}

// New returns Runs without a request.
func New(o Options) *Runs {
	if o.Quiet == 0 {
		o.Quiet = defaultQuiet
	}
	if o.Most == 0 {
		o.Most = defaultMost
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Explain == nil {
		o.Explain = func(err error) (message, hint string) { return err.Error(), "" }
	}
	return &Runs{options: o, wake: make(chan struct{}, 1), corpora: map[string]*corpus{}}
}

// ErrNoDocuments means that a corpus has nothing that a run could read.
var ErrNoDocuments = errors.New("the server has no documents of this corpus")

// Start asks for a run that reads some paths, unless one waits or is under way, and returns the state of the corpus.
func (r *Runs) Start(q Request, paths []string) (State, error) {
	if len(paths) == 0 {
		return State{}, fmt.Errorf("index %s: %w", q.Corpus, ErrNoDocuments)
	}
	if s := r.State(q.Corpus).State; s == Idle || s == Failed {
		r.Request(q)
	}
	return r.State(q.Corpus), nil
}

// Request asks for a run of a corpus, a moment later. If one is under way, another follows it.
func (r *Runs) Request(q Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.of(q.Corpus)
	if c.request != nil {
		q.Confirm = q.Confirm || c.request.Confirm
	}
	c.request, c.due = &q, r.options.Clock().Add(r.options.Quiet)
	if c.cancel == nil {
		r.set(c, State{State: Waiting})
	}
	r.signal()
}

// Cancel ends the run of a corpus that is under way, and forgets a request for it. It reports whether there was
// one of either. What the run has stored stays, and the next one continues there.
func (r *Runs) Cancel(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.of(name)
	found := c.request != nil || c.cancel != nil
	c.request = nil
	switch {
	case c.cancel != nil:
		c.cancel(ErrCancelled)
	case c.state.State == Waiting:
		r.set(c, State{State: Idle})
	}
	return found
}

// State returns the state of a corpus.
func (r *Runs) State(name string) State {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.corpora[name]
	if c == nil {
		return State{State: Idle, Stages: []Progress{}, Failed: []Failure{}}
	}
	s := c.state
	s.Stages = slices.Clone(s.Stages)
	return s
}

// Serve runs what is requested until the context is done, and waits for the runs under way to end.
func (r *Runs) Serve(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	for {
		next := r.startDue(ctx, &group)
		var timer <-chan time.Time
		if next >= 0 {
			timer = time.After(next)
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		case <-timer:
		}
	}
}

// startDue starts the runs that are due, in the order of the corpora's names, while there is room, and returns how
// long it is until the next one is; -1 if only an event brings one.
func (r *Runs) startDue(ctx context.Context, group *sync.WaitGroup) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	next, now := time.Duration(-1), r.options.Clock()
	for _, name := range slices.Sorted(maps.Keys(r.corpora)) {
		c := r.corpora[name]
		if c.request == nil || c.cancel != nil || r.running >= r.options.Most {
			continue
		}
		if wait := c.due.Sub(now); wait > 0 {
			if next < 0 || wait < next {
				next = wait
			}
			continue
		}
		r.start(ctx, c, group)
	}
	return next
}

// start starts the run that a corpus waits for. The lock is held.
func (r *Runs) start(ctx context.Context, c *corpus, group *sync.WaitGroup) {
	q := *c.request
	run, cancel := context.WithCancelCause(ctx)
	c.request, c.cancel = nil, cancel
	r.running++
	r.set(c, State{State: Running})
	group.Go(func() {
		result, err := r.options.Index(run, q, func(p Progress) { r.update(c, p) })
		cause := context.Cause(run)
		cancel(nil)
		r.end(c, result, err, cause)
	})
}

// update stores the progress of a stage.
func (r *Runs) update(c *corpus, p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(c.state.Stages, func(s Progress) bool { return s.Stage == p.Stage })
	if at < 0 {
		at = len(c.state.Stages)
		c.state.Stages = append(c.state.Stages, Progress{})
	}
	c.state.Stages[at] = p
	c.state.Calls, c.state.Cost = p.Calls, p.Cost
}

// end stores how a run ended.
func (r *Runs) end(c *corpus, result Result, err, cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := State{State: Idle, Stages: c.state.Stages, Calls: result.Calls, Cost: result.Cost, Failed: result.Failed[:min(len(result.Failed), maxFailed)], Notes: result.Notes}
	switch {
	case errors.Is(cause, ErrCancelled) && err != nil:
		s.Calls, s.Cost = c.state.Calls, c.state.Cost
		s.Notes = []string{"The run was cancelled. The next one continues where it stopped."}
	case err != nil:
		s.State, s.Calls, s.Cost = Failed, c.state.Calls, c.state.Cost
		s.Message, s.Hint = r.options.Explain(err)
	}
	if c.request != nil {
		s.State = Waiting
	}
	c.cancel = nil
	r.running--
	r.set(c, s)
	r.signal()
}

// of returns the state of a corpus. The lock is held.
func (r *Runs) of(name string) *corpus {
	if r.corpora[name] == nil {
		r.corpora[name] = &corpus{state: State{State: Idle, Stages: []Progress{}, Failed: []Failure{}}}
	}
	return r.corpora[name]
}

// set sets a state that begins now. The lock is held.
func (r *Runs) set(c *corpus, s State) {
	now := r.options.Clock().UTC()
	s.Since = &now
	if s.Stages == nil {
		s.Stages = []Progress{}
	}
	if s.Failed == nil {
		s.Failed = []Failure{}
	}
	c.state = s
}

func (r *Runs) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
