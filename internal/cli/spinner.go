package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/markdown"
	"github.com/neorag/neorag/internal/query"
)

// turnEvery is how often a spinner turns.
const turnEvery = 120 * time.Millisecond

var turning = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// A spinner says on stderr what is done for an answer until its first words
// come; only on a terminal.
type spinner struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	on    bool
	drawn bool
	turn  int
	stage string
	begin time.Time
}

func (c *command) spinner(cc *ucli.Context) *spinner {
	width, tty := terminal(c.env.Stderr)
	on := tty && !cc.Bool("quiet") && !cc.Bool("verbose") && c.env.Getenv("TERM") != "dumb"
	return &spinner{w: c.env.Stderr, width: width, on: on, begin: time.Now()}
}

// while turns until fn returns.
func (s *spinner) while(fn func() error) error {
	if !s.on {
		return fn()
	}
	done := make(chan struct{})
	var turns sync.WaitGroup
	turns.Go(func() {
		ticker := time.NewTicker(turnEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				s.draw()
			}
		}
	})
	defer turns.Wait()
	defer close(done)
	defer s.stop()
	return fn()
}

// update takes what is done now.
func (s *spinner) update(p query.Progress) {
	stage := p.Stage
	if p.Total > 0 {
		stage = fmt.Sprintf("%s %d/%d", p.Stage, p.Done, p.Total)
	}
	s.mu.Lock()
	s.stage = stage
	s.mu.Unlock()
}

func (s *spinner) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return
	}
	s.turn++
	line := fmt.Sprintf("%c %s  %.0f s", turning[s.turn%len(turning)], s.stage, time.Since(s.begin).Seconds())
	fmt.Fprintf(s.w, "\r\x1b[K%s", markdown.Fit(line, s.width-1))
	s.drawn = true
}

// above lets fn write where the spinner stands.
func (s *spinner) above(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	fn()
}

// stop takes the spinner away for good.
func (s *spinner) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	s.on = false
}

func (s *spinner) erase() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}
