package cite

import (
	"strings"

	"github.com/neorag/neorag/internal/report"
)

// A Stream turns the citations of an answer into numbers while a model writes it. It
// holds back an open bracket, and white space before it, until the bracket closes.
type Stream struct {
	offered map[report.Local]string
	numbers report.Numbers
	deliver func(string)
	held    string
}

// NewStream returns a stream that passes the checked text on to deliver. Citations that
// were not offered to the model are removed.
func NewStream(offered map[report.Local]string, deliver func(string)) *Stream {
	return &Stream{offered: offered, deliver: deliver}
}

// maxHeld is the length of the longest bracket: one that is still open there is text.
const maxHeld = 400

// Write takes the next piece of the answer.
func (s *Stream) Write(delta string) {
	s.held += delta
	for s.held != "" {
		open := strings.IndexByte(s.held, '[')
		if open < 0 {
			// White space may precede a citation.
			checked := strings.TrimRight(s.held, " \t")
			s.give(checked)
			s.held = s.held[len(checked):]
			return
		}
		before := strings.TrimRight(s.held[:open], " \t")
		s.give(before)
		s.held = s.held[len(before):]
		end := strings.IndexByte(s.held, ']')
		if end < 0 && len(s.held) <= maxHeld {
			return
		}
		if end < 0 {
			end = len(s.held) - 1
		}
		bracket := s.held[:end+1]
		s.held = s.held[end+1:]
		checked, _ := report.CheckReferences(bracket, s.offered, &s.numbers)
		switch checked {
		case "":
		case strings.TrimSpace(bracket):
			s.give(bracket)
		default:
			s.give(" " + checked)
		}
	}
}

func (s *Stream) give(checked string) {
	if checked != "" {
		s.deliver(checked)
	}
}

// CutOff drops an open citation that is held back: the answer ends unfinished.
func (s *Stream) CutOff() { s.held = TrimOpen(s.held) }

// Close delivers the text that is held back.
func (s *Stream) Close() {
	s.give(strings.TrimRight(s.held, " \t"))
	s.held = ""
}
