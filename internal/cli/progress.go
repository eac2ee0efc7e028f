package cli

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/index"
)

// logEvery is how often a stage reports where there is no terminal.
const logEvery = 10 * time.Second

// redrawEvery keeps a terminal calm.
const redrawEvery = 100 * time.Millisecond

// progress shows the stages of a run: on a terminal one line each, redrawn in
// place; elsewhere a log line every ten seconds and one at a stage's end.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	tty   bool
	quiet bool
	log   *slog.Logger
	last  time.Time
	open  bool // a line stands on the terminal without its end
}

func (c *command) progress(cc *ucli.Context) *progress {
	width, tty := terminal(c.env.Stderr)
	return &progress{w: c.env.Stderr, width: width, tty: tty, quiet: cc.Bool("quiet"), log: newLogger(c.env.Stderr, slog.LevelInfo), last: time.Now()}
}

func (p *progress) update(s index.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || s.Ended && s.Done+s.Failed == 0 {
		return
	}
	every := logEvery
	if p.tty {
		every = redrawEvery
	}
	if !s.Ended && time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[K%s", fit(line(s), p.width-1))
		p.open = !s.Ended
		if s.Ended {
			fmt.Fprintln(p.w)
		}
		return
	}
	p.log.Info("progress", "stage", s.Stage, "done", s.Done, "total", s.Total, "failed", s.Failed, "seconds", round(s.Elapsed))
}

// close ends a line that an error left open.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}

// line is one stage as a person reads it.
func line(s index.Progress) string {
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

func round(d time.Duration) float64 { return d.Round(100 * time.Millisecond).Seconds() }

// fit cuts a line to the width of the terminal.
func fit(s string, width int) string {
	if len(s) <= width || width < 1 {
		return s
	}
	return s[:width]
}
