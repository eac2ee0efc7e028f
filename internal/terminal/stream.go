package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/markdown"
	"github.com/neorag/neorag/internal/text"
)

// A Stream shows an answer on a terminal while a model writes it.
type Stream struct {
	w     io.Writer
	on    bool
	shown strings.Builder
	rich  *markdown.Writer // nil where text is shown unstyled
}

// NewStream returns a stream that writes to w, usually stdout. It shows nothing if
// on is false or w is not a terminal.
func NewStream(w io.Writer, getenv func(string) string, on bool) *Stream {
	s := &Stream{w: w, on: on && IsTerminal(w)}
	if width, ok := styled(w, getenv); s.on && ok {
		s.rich = markdown.NewWriter(width, func(shown string) { fmt.Fprint(w, shown) })
	}
	return s
}

// Receiver returns the function that takes the pieces of the answer in order, or
// nil if nothing is to be shown. It calls first before it shows anything.
func (s *Stream) Receiver(first func()) func(piece string) {
	if !s.on {
		return nil
	}
	return func(piece string) {
		if s.shown.Len() == 0 {
			first()
		}
		s.shown.WriteString(piece)
		if s.rich != nil {
			s.rich.Write(piece)
			return
		}
		fmt.Fprint(s.w, Sanitize(piece))
	}
}

// Close ends the last line of the answer.
func (s *Stream) Close() {
	switch {
	case s.shown.Len() == 0:
	case s.rich != nil:
		s.rich.Close()
	default:
		fmt.Fprintln(s.w)
	}
}

// Shows reports whether what was streamed is this answer, white space aside, so
// that it need not be printed again.
func (s *Stream) Shows(answer string) bool {
	return s.on && text.OneLine(s.shown.String()) == text.OneLine(answer)
}
