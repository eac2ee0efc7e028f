package terminal

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/ui/markdown"
)

const (
	logInterval    = 10 * time.Second       // between two log lines of a stage
	redrawInterval = 100 * time.Millisecond // between two redraws on a terminal
	stallInterval  = 2 * time.Second        // without a change until a terminal shows what a stage waits for
)

// A Stage is how far one stage of a run has come.
type Stage struct {
	Stage   string
	Done    int
	Total   int // 0 while unknown
	Failed  int
	Elapsed time.Duration
	Ended   bool
	Waiting string // what it waits for, "" if something changed a short time ago
}

// left returns how many items are neither done nor failed, as far as is known.
func (s Stage) left() int { return max(0, s.Total-s.Done-s.Failed) }

// Progress shows the stages of a run: on a terminal one line each, redrawn in
// place; elsewhere a log line every ten seconds and one at the end of a stage. A stage in which
// nothing changes has what it waits for in its line.
type Progress struct {
	mu         sync.Mutex
	w          io.Writer
	width      int
	isTerminal bool
	quiet      bool
	log        *slog.Logger
	waiting    func() string
	last       time.Time
	running    []Stage // in the order in which they were seen first
	open       bool    // the last line on the terminal has no line break yet
}

// NewProgress returns the progress of a run, shown on w if that is a terminal and
// logged to log otherwise. With quiet it shows nothing. waiting says what the run waits for,
// "" for nothing.
func NewProgress(w io.Writer, log *slog.Logger, quiet bool, waiting func() string) *Progress {
	width, isTerminal := Size(w)
	return &Progress{w: w, width: width, isTerminal: isTerminal, quiet: quiet, log: log, waiting: waiting, last: time.Now()}
}

// While runs fn, and shows until it returns what the run waits for while nothing changes.
func (p *Progress) While(fn func() error) error {
	if p.quiet {
		return fn()
	}
	done := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		ticker := time.NewTicker(p.stall())
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				p.showWaiting()
			}
		}
	})
	defer looking.Wait()
	defer close(done)
	return fn()
}

// stall returns how long nothing changes before it is shown what a stage waits for.
func (p *Progress) stall() time.Duration {
	if p.isTerminal {
		return stallInterval
	}
	return logInterval
}

// showWaiting shows what the run waits for, unless something changed a short time ago.
func (p *Progress) showWaiting() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < p.stall() {
		return
	}
	text := p.waiting()
	if text == "" {
		return
	}
	s := p.unfinished()
	s.Waiting = text
	if p.isTerminal { // the next tick shows the time that is left then
		p.draw(s)
		return
	}
	p.last = time.Now()
	p.write(s)
}

// unfinished returns the first running stage that has something left, else one without a name.
func (p *Progress) unfinished() Stage {
	for _, s := range p.running {
		if s.left() > 0 {
			return s
		}
	}
	return Stage{}
}

// note keeps the state of a stage while it runs.
func (p *Progress) note(s Stage) {
	i := slices.IndexFunc(p.running, func(r Stage) bool { return r.Stage == s.Stage })
	switch {
	case s.Ended && i >= 0:
		p.running = slices.Delete(p.running, i, i+1)
	case s.Ended:
	case i >= 0:
		p.running[i] = s
	default:
		p.running = append(p.running, s)
	}
}

// Update takes the state of a stage. It may be called concurrently and often: what
// comes too soon after the last redraw is not shown, unless the stage has ended.
func (p *Progress) Update(s Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(s)
	if p.quiet || s.Ended && s.Done+s.Failed == 0 {
		return
	}
	interval := logInterval
	if p.isTerminal {
		interval = redrawInterval
	}
	if !s.Ended && time.Since(p.last) < interval {
		return
	}
	p.last = time.Now()
	if p.isTerminal {
		p.draw(s)
		return
	}
	if s.left() > 0 {
		s.Waiting = p.waiting()
	}
	p.write(s)
}

// draw replaces the line on the terminal.
func (p *Progress) draw(s Stage) {
	fmt.Fprintf(p.w, "\r\x1b[K%s", markdown.Fit(s.String(), p.width-1))
	p.open = !s.Ended
	if s.Ended {
		fmt.Fprintln(p.w)
	}
}

// write logs a stage.
func (p *Progress) write(s Stage) {
	attrs := []any{"stage", s.Stage, "done", s.Done, "total", s.Total, "failed", s.Failed, "seconds", s.Elapsed.Round(100 * time.Millisecond).Seconds()}
	if s.Waiting != "" {
		attrs = append(attrs, "waiting", s.Waiting)
	}
	p.log.Info("progress", attrs...)
}

// Close ends a line that a stage left open because the run failed.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = nil
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}

// String returns the stage as the line that a person reads.
func (s Stage) String() string {
	if s.Stage == "" {
		return "waiting for " + s.Waiting
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s %d", s.Stage, s.Done)
	if s.Total > 0 {
		fmt.Fprintf(&b, "/%d", s.Total)
	}
	seconds := s.Elapsed.Seconds()
	if seconds > 0 && s.Done > 0 && s.Waiting == "" {
		fmt.Fprintf(&b, "  %.0f/s", float64(s.Done)/seconds)
	}
	if s.Failed > 0 {
		fmt.Fprintf(&b, "  %d failed", s.Failed)
	}
	switch {
	case s.Ended:
		fmt.Fprintf(&b, "  %.1f s", seconds)
	case s.Waiting != "":
		fmt.Fprintf(&b, "  waiting for %s; %d left", s.Waiting, s.left())
	case s.left() > 0 && s.Done > 0:
		left := time.Duration(seconds / float64(s.Done+s.Failed) * float64(s.left()) * float64(time.Second))
		fmt.Fprintf(&b, "  %s left", left.Round(time.Second))
	}
	return b.String()
}
