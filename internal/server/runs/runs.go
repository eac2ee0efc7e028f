// Package runs decides when the corpora of a server are indexed: one run of a corpus at the same time, a few of
// all in one process, each a moment after the last request for it.
//
// What comes in are requests and a function that runs the index; what goes out is the state of each corpus.
// Requests are kept in a Queue, which the processes that index the same corpora share: any of them runs what is
// requested. A request stays until a run that began after it has ended, so that another process continues the
// run of a killed one, whose work is marked in the graph.
package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Options configure Runs. Queue is required.
type Options struct {
	Queue Queue
	// Index runs what is requested of a corpus. It calls progress often, never concurrently. Its error is
	// neo4jstore.ErrLeased or neo4jstore.ErrNotRequested if another process does. Nil leaves all runs to other processes.
	Index func(ctx context.Context, corpus string, progress func(Progress)) (Result, error)
	Has   func(corpus string) bool // whether this process has the documents of a corpus; nil means of all
	Quiet time.Duration            // between the last request for a corpus and its run, so that uploads are indexed together; 0 means 2 seconds
	Poll  time.Duration            // between looks for requests of other processes; 0 means 5 seconds
	Most  int                      // runs at the same time, of different corpora; 0 means 2
	// Explain returns what a client sees of an error: a message, and what to do.
	Explain func(error) (message, hint string)
	Clock   func() time.Time // nil means time.Now
	Log     *slog.Logger     // nil means none
}

const (
	maxFailed    = 100
	defaultQuiet = 2 * time.Second
	defaultPoll  = 5 * time.Second
	defaultMost  = 2
)

// A Queue keeps requests for runs, and knows the runs of other processes.
type Queue interface {
	Request(ctx context.Context, r Request) error
	// Requested returns the corpora whose last request is at least quiet ago, and which nothing indexes, in order.
	Requested(ctx context.Context, quiet time.Duration) ([]string, error)
	// Cancel forgets the request for a run, and ends a run that is under way.
	Cancel(ctx context.Context, corpus string) error
	State(ctx context.Context, corpus string) (State, error)
}

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
	Holder  string     `json:"holder,omitempty" doc:"The process that runs it, if it is another one; only a stage that is under way is known then"`
	Age     int        `json:"age,omitempty" doc:"Seconds since that process told its progress"`
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

// Runs runs what is requested while Serve is running. It is safe for concurrent use.
type Runs struct {
	options Options
	wake    chan struct{}

	mu      sync.Mutex
	corpora map[string]*corpus
	running int
}

// A corpus is the last run of this process.
type corpus struct {
	state  State
	cancel context.CancelCauseFunc // of the run that is under way; nil if there is none
}

// New returns Runs without a run.
func New(o Options) *Runs {
	if o.Quiet == 0 {
		o.Quiet = defaultQuiet
	}
	if o.Poll == 0 {
		o.Poll = defaultPoll
	}
	if o.Most == 0 {
		o.Most = defaultMost
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Has == nil {
		o.Has = func(string) bool { return true }
	}
	if o.Explain == nil {
		o.Explain = func(err error) (message, hint string) { return err.Error(), "" }
	}
	return &Runs{options: o, wake: make(chan struct{}, 1), corpora: map[string]*corpus{}}
}

// ErrNoDocuments means that a corpus has nothing that a run could read.
var ErrNoDocuments = errors.New("the server has no documents of this corpus")

// Start is Request for a run that reads some paths. It returns the state of the corpus.
func (r *Runs) Start(ctx context.Context, q Request, paths []string) (State, error) {
	if len(paths) == 0 {
		return State{}, fmt.Errorf("index %s: %w", q.Corpus, ErrNoDocuments)
	}
	if err := r.Request(ctx, q); err != nil {
		return State{}, err
	}
	return r.State(ctx, q.Corpus)
}

// Request asks for a run of a corpus, a moment later. If one is under way, another follows it.
func (r *Runs) Request(ctx context.Context, q Request) error {
	if err := r.options.Queue.Request(ctx, q); err != nil {
		return err
	}
	time.AfterFunc(r.options.Quiet, r.signal)
	return nil
}

// Cancel ends the run of a corpus that is under way, in whatever process, and forgets a request for it. What the
// run has stored stays, and the next one continues there.
func (r *Runs) Cancel(ctx context.Context, name string) error {
	err := r.options.Queue.Cancel(ctx, name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.corpora[name]; c != nil && c.cancel != nil {
		c.cancel(neo4jstore.ErrCancelled)
	}
	return err
}

// State returns the state of a corpus.
func (r *Runs) State(ctx context.Context, name string) (State, error) {
	s, running := r.last(name)
	if running {
		return s, nil
	}
	shared, err := r.options.Queue.State(ctx, name)
	switch {
	case err != nil:
		return State{}, fmt.Errorf("state of %s: %w", name, err)
	case shared.State == Running, shared.State == Waiting, shared.State == Failed && s.State != Failed:
		return shared, nil
	case s.State == Failed && shared.State == Idle: // another process has run it since
		s.State, s.Message, s.Hint = Idle, "", ""
	}
	return s, nil
}

// last returns the state of the last run of this process, and whether it is under way.
func (r *Runs) last(name string) (s State, running bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.corpora[name]
	if c == nil {
		return State{State: Idle, Stages: []Progress{}, Failed: []Failure{}}, false
	}
	s = c.state
	s.Stages = slices.Clone(s.Stages)
	return s, c.cancel != nil
}

// Serve runs what is requested until the context is done, and waits for the runs under way to end.
func (r *Runs) Serve(ctx context.Context) {
	if r.options.Index == nil {
		<-ctx.Done()
		return
	}
	var group sync.WaitGroup
	defer group.Wait()
	poll := time.NewTicker(r.options.Poll)
	defer poll.Stop()
	for {
		if err := r.startRequested(ctx, &group); err != nil && ctx.Err() == nil {
			r.options.Log.WarnContext(ctx, "requests for runs not read", "cause", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		case <-poll.C:
		}
	}
}

// startRequested starts the runs that are requested, in the order of the corpora's names, while there is room.
func (r *Runs) startRequested(ctx context.Context, group *sync.WaitGroup) error {
	names, err := r.options.Queue.Requested(ctx, r.options.Quiet)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		if c := r.of(name); c.cancel == nil && r.running < r.options.Most && r.options.Has(name) {
			r.start(ctx, name, c, group)
		}
	}
	return nil
}

// start starts the run of a corpus. The lock is held.
func (r *Runs) start(ctx context.Context, name string, c *corpus, group *sync.WaitGroup) {
	run, cancel := context.WithCancelCause(ctx)
	c.cancel = cancel
	r.running++
	last := c.state
	r.set(c, State{State: Running})
	group.Go(func() {
		result, err := r.options.Index(run, name, func(p Progress) { r.update(c, p) })
		cause := context.Cause(run)
		cancel(nil)
		if errors.Is(err, neo4jstore.ErrLeased) || errors.Is(err, neo4jstore.ErrNotRequested) {
			r.ended(c, last)
			return
		}
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
	s := State{State: Idle, Stages: c.state.Stages, Calls: result.Calls, Cost: result.Cost, Failed: result.Failed[:min(len(result.Failed), maxFailed)], Notes: result.Notes}
	if err != nil {
		s.Calls, s.Cost = c.state.Calls, c.state.Cost
	}
	r.mu.Unlock()
	switch {
	case err != nil && (errors.Is(cause, neo4jstore.ErrCancelled) || errors.Is(err, neo4jstore.ErrCancelled)):
		s.Notes = []string{"The run was cancelled. The next one continues where it stopped."}
	case err != nil:
		s.State = Failed
		s.Message, s.Hint = r.options.Explain(err)
	}
	r.ended(c, s)
}

// ended sets the state of a corpus after the end of its run.
func (r *Runs) ended(c *corpus, s State) {
	r.mu.Lock()
	defer r.mu.Unlock()
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
