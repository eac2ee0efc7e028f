package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/ui/markdown"
)

// frameInterval is the time between two frames of a spinner.
const frameInterval = 120 * time.Millisecond

var frames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// A Spinner shows on a terminal what is being done until the first words of an
// answer arrive. It shows nothing where the stream is not a terminal.
type Spinner struct {
	mu    sync.Mutex
	w     io.Writer
	width int
	on    bool
	drawn bool
	frame int
	stage string
	begin time.Time
}

// NewSpinner returns a spinner that writes to w, usually stderr. It stays hidden
// if quiet is set, and on a dumb terminal.
func NewSpinner(w io.Writer, getenv func(string) string, quiet bool) *Spinner {
	width, isTerminal := Size(w)
	on := isTerminal && !quiet && getenv("TERM") != "dumb"
	return &Spinner{w: w, width: width, on: on, begin: time.Now()}
}

// While runs fn and turns until it returns.
func (s *Spinner) While(fn func() error) error {
	if !s.on {
		return fn()
	}
	done := make(chan struct{})
	var turning sync.WaitGroup
	turning.Go(func() {
		ticker := time.NewTicker(frameInterval)
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
	defer turning.Wait()
	defer close(done)
	defer s.Stop()
	return fn()
}

// Update sets the stage that is shown. A total of 0 means that it is unknown.
func (s *Spinner) Update(stage string, done, total int) {
	if total > 0 {
		stage = fmt.Sprintf("%s %d/%d", stage, done, total)
	}
	s.mu.Lock()
	s.stage = stage
	s.mu.Unlock()
}

func (s *Spinner) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return
	}
	s.frame++
	line := fmt.Sprintf("%c %s  %.0f s", frames[s.frame%len(frames)], s.stage, time.Since(s.begin).Seconds())
	fmt.Fprintf(s.w, "\r\x1b[K%s", markdown.Fit(line, s.width-1))
	s.drawn = true
}

// Above erases the spinner and runs fn, which may write to the same stream. The
// spinner is drawn again below what fn wrote.
func (s *Spinner) Above(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	fn()
}

// Stop erases the spinner for good.
func (s *Spinner) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	s.on = false
}

func (s *Spinner) erase() {
	if s.drawn {
		fmt.Fprint(s.w, "\r\x1b[K")
		s.drawn = false
	}
}
