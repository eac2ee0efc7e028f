package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// A Stream shows an answer on a terminal while a model writes it: block by block
// where it can be styled, else piece by piece.
type Stream struct {
	w      io.Writer
	on     bool
	text   strings.Builder
	styled *markdown.Writer // nil where text is shown unstyled
	width  int              // of styled text
	first  func()           // is called before anything is shown; nil afterwards
}

// NewStream returns a stream that writes to w, usually stdout. It shows nothing if
// on is false or w is not a terminal.
func NewStream(w io.Writer, getenv func(string) string, on bool) *Stream {
	s := &Stream{w: w, on: on && IsTerminal(w)}
	if width, ok := styled(w, getenv); s.on && ok {
		s.width = width
		s.styled = markdown.NewWriter(width, s.show)
	}
	return s
}

// Receiver returns the function that takes the pieces of the answer in order, or
// nil if nothing is to be shown. It calls first before it shows anything.
func (s *Stream) Receiver(first func()) func(piece string) {
	if !s.on {
		return nil
	}
	s.first = first
	return func(piece string) {
		s.text.WriteString(piece)
		if s.styled != nil {
			s.styled.Write(piece)
			return
		}
		s.show(sanitize.Controls(piece))
	}
}

func (s *Stream) show(text string) {
	if s.first != nil {
		s.first()
		s.first = nil
	}
	fmt.Fprint(s.w, text)
}

// Close ends the last line of the answer.
func (s *Stream) Close() {
	switch {
	case s.text.Len() == 0:
	case s.styled != nil:
		s.styled.Close()
	default:
		fmt.Fprintln(s.w)
	}
}

// Restart ends the answer so far, which is void, with a line that says why. What follows
// is another answer.
func (s *Stream) Restart(why string) {
	s.Close()
	s.show("\n(answer restarted: " + OneLine(why) + ")\n\n")
	s.text.Reset()
	if s.styled != nil {
		s.styled = markdown.NewWriter(s.width, s.show)
	}
}

// Shows reports whether what was streamed is this answer, white space aside, so
// that it need not be printed again.
func (s *Stream) Shows(answer string) bool {
	return s.on && text.OneLine(s.text.String()) == text.OneLine(answer)
}
