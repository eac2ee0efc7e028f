package cite

import (
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// A Stream checks an answer while a model writes it: it turns citations into numbers and
// removes what a terminal, a browser or a Markdown viewer would execute, load or follow.
// What it delivers depends on the text alone, not on the pieces in which it arrives, and
// is never taken back: CheckAnswer makes the same text of the whole answer.
//
// It checks the text unit by unit. A unit ends with its line, or before a space where no
// bracket, tag or target of a link is open. What reaches over the end of a unit is
// harmless, because sanitize.Text leaves no beginning and no end of anything active.
type Stream struct {
	own     ownList
	offered map[report.Local]string
	numbers report.Numbers
	removed int
	deliver func(string)
	// sentences means that citations of sentences are delivered as [n.m], not as [n].
	sentences bool

	held    string // the beginning of a unit
	scanned scan   // of held
	begun   bool   // something was delivered
	// bracketed means that something was in brackets, so that numbers in parentheses are numbers.
	bracketed bool
	closed    bool
	space     string // white space that is delivered before the next word
}

// NewStream returns a stream that passes the checked text on to deliver. Citations that
// were not offered to the model are removed.
func NewStream(offered map[report.Local]string, deliver func(string)) *Stream {
	s := &Stream{offered: offered, deliver: deliver}
	s.own.deliver = s.write
	return s
}

// CheckAnswer returns the checked text of an answer, what it cites, how many citations
// were removed, and how many entries of a list of references that the model added. References[i] is cited by its number N. In checked, [n.m] cites the mth sentence of
// a record; StripSentences makes what a Stream delivers of it.
func CheckAnswer(answer string, offered map[report.Local]string) (checked string, numbers *report.Numbers, removed, listed int) {
	var b strings.Builder
	s := NewStream(offered, func(text string) { b.WriteString(text) })
	s.sentences = true
	s.Write(answer)
	s.Close()
	return b.String(), &s.numbers, s.removed, s.own.removed
}

// Write takes the next piece of the answer.
func (s *Stream) Write(delta string) { s.own.write(delta) }

// write takes text outside a list of references.
func (s *Stream) write(delta string) {
	s.held += delta
	for {
		end := s.scanned.end(s.held)
		if end == 0 {
			return
		}
		s.check(s.held[:end])
		s.held = s.held[end:]
	}
}

// check delivers a unit.
func (s *Stream) check(unit string) {
	const spaces = " \t\r\n"
	text := strings.Trim(unit, spaces)
	before, after, _ := strings.Cut(unit, text)
	if text == "" {
		before, after = unit, ""
	}
	s.space += before
	ends := s.closed || strings.Contains(after, "\n") || strings.HasSuffix(text, ".") || strings.HasSuffix(text, "。")
	if ends && !s.bracketed && strings.HasPrefix(text, "(") { // at the end of a sentence, where citations are
		text = report.InBrackets(text, s.offered)
	}
	if strings.ContainsFunc(text, mayBeActive) {
		s.bracketed = true
		var removed int
		text, removed = report.CheckSentences(sanitize.Strip(text), s.offered, &s.numbers)
		text = sanitize.Text(text) // removing a citation may have completed something
		if !s.sentences {
			text = StripSentences(text)
		}
		s.removed += removed
	}
	if text != "" {
		if s.begun {
			text = s.space + text
		}
		s.begun, s.space = true, ""
		s.deliver(text)
	}
	s.space += after
}

// mayBeActive reports whether a text with r needs to be checked.
func mayBeActive(r rune) bool {
	return strings.ContainsRune("[]【】［］<>\uE000\uE001\uFFFD", r) || sanitize.IsControl(r)
}

// CutOff drops an open citation that is held back: the answer ends unfinished.
func (s *Stream) CutOff() { s.own.line, s.held = TrimOpen(s.own.line), TrimOpen(s.held) }

// Close delivers the text that is held back. White space at the end of the answer is
// dropped.
func (s *Stream) Close() {
	s.own.close()
	s.closed = true
	s.check(s.held)
	s.held = ""
}

// A scan finds the end of a unit. It reads each byte once.
type scan struct {
	at       int // bytes that were read
	brackets int // that are open
	target   int // parentheses that are open in the target of a link
	tag      bool
	control  bool // a terminal sequence may be open
}

// end returns the length of the first unit of a text, 0 if more must be read to know.
// It is called with texts that only grow, until it returns an end.
func (c *scan) end(text string) int {
	for c.at < len(text) {
		b := text[c.at]
		if b == '\n' {
			end := c.at + 1
			*c = scan{}
			return end
		}
		if c.at+1 == len(text) {
			return 0 // what b is depends on the next byte
		}
		if (b == 0xe3 || b == 0xef) && !utf8.FullRuneInString(text[c.at:]) {
			return 0 // it may be a full-width bracket
		}
		next := text[c.at+1]
		if b == ' ' && c.at > 0 && c.closed() && !strings.ContainsRune(" \t\r\n[", rune(next)) {
			end := c.at
			*c = scan{}
			return end
		}
		switch r, _ := utf8.DecodeRuneInString(text[c.at:]); r {
		case '【', '［':
			c.brackets++
		case '】', '］':
			c.brackets = max(0, c.brackets-1)
		default:
			c.read(b, next)
		}
		c.at++
	}
	return 0
}

func (c *scan) closed() bool { return c.brackets == 0 && c.target == 0 && !c.tag && !c.control }

func (c *scan) read(b, next byte) {
	switch {
	case b < 0x20 && b != '\t', b == 0xc2 && next >= 0x80 && next < 0xa0:
		c.control = true
	case b == '[':
		c.brackets++
	case b == ']':
		c.brackets = max(0, c.brackets-1)
		if next == '(' && c.target == 0 {
			c.target = -1 // the next byte opens it
		}
	case b == '(' && c.target != 0:
		c.target = max(0, c.target) + 1
	case b == ')' && c.target > 0:
		c.target--
	case b == '<' && (next == '/' || next == '!' || next >= 'A' && next <= 'Z' || next >= 'a' && next <= 'z'):
		c.tag = true
	case b == '>':
		c.tag = false
	}
}
