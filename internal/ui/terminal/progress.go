package terminal

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/ui/markdown"
)

const (
	logInterval    = 10 * time.Second       // between two log lines of a stage
	redrawInterval = 100 * time.Millisecond // between two redraws on a terminal
)

// A Stage is how far one stage of a run has come.
type Stage struct {
	Stage   string
	Done    int
	Total   int // 0 while unknown
	Failed  int
	Elapsed time.Duration
	Ended   bool
}

// Progress shows the stages of a run: on a terminal one line each, redrawn in
// place; elsewhere a log line every ten seconds and one at the end of a stage.
type Progress struct {
	mu         sync.Mutex
	w          io.Writer
	width      int
	isTerminal bool
	quiet      bool
	log        *slog.Logger
	last       time.Time
	open       bool // the last line on the terminal has no line break yet
}

// NewProgress returns the progress of a run, shown on w if that is a terminal and
// logged to log otherwise. With quiet it shows nothing.
func NewProgress(w io.Writer, log *slog.Logger, quiet bool) *Progress {
	width, isTerminal := Size(w)
	return &Progress{w: w, width: width, isTerminal: isTerminal, quiet: quiet, log: log, last: time.Now()}
}

// Update takes the state of a stage. It may be called concurrently and often: what
// comes too soon after the last redraw is not shown, unless the stage has ended.
func (p *Progress) Update(s Stage) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
		fmt.Fprintf(p.w, "\r\x1b[K%s", markdown.Fit(s.String(), p.width-1))
		p.open = !s.Ended
		if s.Ended {
			fmt.Fprintln(p.w)
		}
		return
	}
	p.log.Info("progress", "stage", s.Stage, "done", s.Done, "total", s.Total, "failed", s.Failed, "seconds", s.Elapsed.Round(100*time.Millisecond).Seconds())
}

// Close ends a line that a stage left open because the run failed.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}

// String returns the stage as the line that a person reads.
func (s Stage) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s %d", s.Stage, s.Done)
	if s.Total > 0 {
		fmt.Fprintf(&b, "/%d", s.Total)
	}
	seconds := s.Elapsed.Seconds()
	if seconds > 0 && s.Done > 0 {
		fmt.Fprintf(&b, "  %.0f/s", float64(s.Done)/seconds)
	}
	if s.Failed > 0 {
		fmt.Fprintf(&b, "  %d failed", s.Failed)
	}
	switch {
	case s.Ended:
		fmt.Fprintf(&b, "  %.1f s", seconds)
	case s.Total > s.Done && s.Done > 0:
		left := time.Duration(seconds / float64(s.Done) * float64(s.Total-s.Done) * float64(time.Second))
		fmt.Fprintf(&b, "  %s left", left.Round(time.Second))
	}
	return b.String()
}
