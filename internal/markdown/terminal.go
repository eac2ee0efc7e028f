package markdown

import (
	"strings"
	"unicode"
)

// The escapes of styles.
const (
	escapeReset = "\x1b[0m"
	escapeBold  = "\x1b[1m"
	escapeDim   = "\x1b[2m"
	escapeLean  = "\x1b[3m"
	escapeCode  = "\x1b[36m"
)

// Bounds of a terminal's width, in columns: lines longer than the most are hard
// to read.
const (
	leastWidth = 8
	mostWidth  = 120
)

// A Writer shows a text on a terminal while it comes: words as soon as they and
// their style are known, wrapped, each line at most as wide as the terminal.
type Writer struct {
	p parser
}

// NewWriter gives what it shows to out. Widths below 8 count as 8, above 120 as 120.
func NewWriter(width int, out func(string)) *Writer {
	return &Writer{p: parser{to: &screen{width: min(max(width, leastWidth), mostWidth), out: out}}}
}

// Write takes the next piece of the text.
func (w *Writer) Write(piece string) { w.p.write(piece) }

// Close shows what is left, and ends the last line.
func (w *Writer) Close() { w.p.end() }

// Terminal is a whole text as a terminal shows it, with a line end unless it is empty.
func Terminal(text string, width int) string {
	var b strings.Builder
	w := NewWriter(width, func(s string) { b.WriteString(s) })
	w.Write(text)
	w.Close()
	return b.String()
}

// screen lays blocks out.
type screen struct {
	width int
	out   func(string)

	block   block
	isOpen  bool
	first   string // before the first line of the block
	rest    string // before its other lines
	column  int    // of the line that is open; 0 when nothing stands on it
	prefix  int    // columns of what stands before the text of this line
	lines   int    // of the block that have begun
	space   bool   // stands before the next word
	word    []span
	started bool
}

func (s *screen) open(b block) {
	s.endBlock()
	last := s.block.kind
	tight := b.kind == item && (last == item || last == paragraph) || b.kind == row && last == row
	if s.started && (b.loose || !tight) {
		s.out("\n")
	}
	s.block, s.isOpen, s.started, s.lines = b, true, true, 0
	indent := strings.Repeat("  ", b.level)
	s.first, s.rest = indent, indent
	switch b.kind {
	case heading:
		s.first, s.rest = "", ""
	case item:
		s.first += b.marker + " "
		s.rest += strings.Repeat(" ", Width(b.marker)+1)
	case quote:
		s.first, s.rest = "│ ", "│ "
	case code:
		s.first, s.rest = indent+"  ", indent+"  "
	case rule:
		s.first = strings.Repeat("─", min(s.width, 40))
		s.begin()
	}
	s.first, s.rest = Fit(s.first, s.width/2), Fit(s.rest, s.width/2)
}

// begin begins a line of the block.
func (s *screen) begin() {
	prefix := s.rest
	if s.lines == 0 {
		prefix = s.first
	}
	s.lines++
	s.out(prefix)
	s.column = Width(prefix)
	s.prefix = s.column
	s.space = false
}

func (s *screen) newline() {
	s.out("\n")
	s.column, s.space = 0, false
}

// endBlock ends the last line of the block.
func (s *screen) endBlock() {
	s.flush()
	if s.isOpen && s.lines == 0 && s.block.kind == item {
		s.out(strings.TrimRight(s.first, " "))
		s.lines, s.column = 1, 1
	}
	if s.column > 0 || s.isOpen && s.lines > 0 && s.block.kind != code {
		s.newline()
	}
	s.isOpen = false
}

func (s *screen) close() { s.endBlock() }

func (s *screen) text(sp span) {
	if s.block.kind == code {
		s.codeLine(sp.text)
		return
	}
	if s.block.kind == heading {
		sp.style |= bold
	}
	at := 0
	for i, r := range sp.text {
		if !unicode.IsSpace(r) || r == '\u00a0' {
			continue
		}
		s.add(sp, sp.text[at:i])
		s.flush()
		s.space = true
		at = i + len(string(r))
	}
	s.add(sp, sp.text[at:])
	if sp.end {
		s.flush()
		if s.column > 0 {
			s.newline()
		}
	}
}

func (s *screen) add(sp span, text string) {
	last := len(s.word) - 1
	switch {
	case text == "":
	case last >= 0 && s.word[last].style == sp.style:
		s.word[last].text += text
	default:
		s.word = append(s.word, span{text: text, style: sp.style})
	}
}

// flush puts the word that is complete on the line, or on the next.
func (s *screen) flush() {
	if len(s.word) == 0 {
		return
	}
	wide := 0
	for _, part := range s.word {
		wide += Width(part.text)
	}
	space := s.space && s.column > s.prefix
	if space && s.column+1+wide > s.width {
		s.newline()
		space = false
	}
	if s.column == 0 {
		s.begin()
	}
	if space {
		s.out(" ")
		s.column++
	}
	for _, part := range s.word {
		s.put(part)
	}
	s.word, s.space = s.word[:0], false
}

// put shows a part of a word, on several lines if it is wider than one.
func (s *screen) put(part span) {
	text := part.text
	for text != "" {
		fits := Fit(text, s.width-s.column)
		if fits == "" {
			s.newline()
			s.begin()
			continue
		}
		s.column += Width(fits)
		s.out(styled(fits, part.style))
		text = text[len(fits):]
	}
}

// codeLine shows a line of code as it is.
func (s *screen) codeLine(line string) {
	if line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " "); line != "" {
		s.begin()
		s.put(span{text: line, style: monospace})
	}
	s.newline()
}

// styled puts the escapes of a style around a text.
func styled(text string, st style) string {
	var escapes strings.Builder
	for _, e := range []struct {
		style  style
		escape string
	}{{bold, escapeBold}, {italic, escapeLean}, {monospace, escapeCode}, {reference, escapeDim}} {
		if st&e.style != 0 {
			escapes.WriteString(e.escape)
		}
	}
	if escapes.Len() == 0 {
		return text
	}
	return escapes.String() + text + escapeReset
}
