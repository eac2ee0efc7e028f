package pdftext

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/neorag/neorag/internal/text"
)

// accents are the accents that TeX draws over the next letter, and what they are after it.
var accents = map[rune]string{
	'`': "\u0300", '\u00b4': "\u0301", '\u02c6': "\u0302", '^': "\u0302", '\u02dc': "\u0303", '~': "\u0303", '\u00af': "\u0304",
	'\u02d8': "\u0306", '\u02d9': "\u0307", '\u00a8': "\u0308", '\u02da': "\u030a", '\u02dd': "\u030b", '\u02c7': "\u030c",
}

const (
	lineEndHyphen = 0x2 // what PDFium returns for a hyphen at the end of a line
	softHyphen    = 0xad

	// Hyphens that are written as the one of the keyboard.
	hyphen            = 0x2010
	nonBreakingHyphen = 0x2011
)

// Distances of two glyphs, as shares of their height. Files have spaces that the next
// character is drawn over, and words with nothing but a distance between them.
const (
	noSpace      = .05 // at a space of the file: less is none
	likelySpace  = .08 // at a space of PDFium: more is one
	certainSpace = .18 // without a space: more is one
	maxTracking  = .35 // between the letters of a spaced word
)

// A glyph is a character of a line that is not a space.
type glyph struct {
	text   string
	r      rune
	turn   turn
	box    rect
	space  bool // there is a space of the file before it
	likely bool // there is a space of PDFium before it
	joined bool // there is none, whatever the places say
}

type lineBuilder struct {
	page   int
	height float64 // of the page, as the line is read
	lines  []line

	all, unknown int // characters except spaces, and how many have no meaning

	glyphs []glyph
	next   glyph // what is known of the next one
	high   rune  // the last code, which may be the first half of a character
}

// add adds a character, or ends the line.
func (b *lineBuilder) add(c char) {
	defer func() { b.high = c.r }()
	switch {
	case c.generated && c.r == '\n':
		b.end()
	case c.generated && unicode.IsSpace(c.r):
		b.next.likely = true
	case c.ligature != "":
		b.write(c, c.ligature)
	case unicode.IsSpace(c.r):
		b.next.space = true
	case utf16.IsSurrogate(c.r):
		if r := utf16.DecodeRune(b.high, c.r); r != unicode.ReplacementChar {
			c.r = r
			b.write(c, string(r))
		}
	case c.r == hyphen || c.r == nonBreakingHyphen:
		c.r = '-'
		b.write(c, "-")
	case c.r == lineEndHyphen || c.r == 0xfffe:
		c.r = '-'
		b.write(c, "-")
		b.end()
	case c.r != 0 && c.r != softHyphen && !unicode.In(c.r, unicode.Cc, unicode.Co):
		b.write(c, string(c.r))
	}
}

// write appends a character that is not a space.
func (b *lineBuilder) write(c char, text string) {
	if n := len(b.glyphs); n > 0 && c.generated { // it has no place
		c.box, c.turn, c.height = b.glyphs[n-1].box, b.glyphs[n-1].turn, b.height
	} else if n > 0 && c.turn != b.glyphs[n-1].turn {
		b.end()
	}
	g := b.next
	g.text, g.r, g.box, g.turn, b.height = text, c.r, c.box, c.turn, c.height
	b.glyphs = append(b.glyphs, g)
	b.next = glyph{}
	if b.all++; c.r == unicode.ReplacementChar {
		b.unknown++
	}
}

func (b *lineBuilder) end() {
	if len(b.glyphs) > 0 {
		if l := lineOf(b.glyphs); l.text != "" {
			l.page, l.height = b.page, b.height
			if n := len(b.lines); n == 0 || !b.lines[n-1].extend(l) {
				b.lines = append(b.lines, l)
			}
		}
	}
	b.glyphs, b.next = b.glyphs[:0], glyph{}
}

// extend appends a line that continues where this one ends, and reports whether it does: PDFium ends
// lines at raised and lowered characters.
func (l *line) extend(next line) bool {
	size, distance := max(l.size, next.size), next.box.left-l.box.right
	if l.turn != next.turn || l.turn == oblique || size > sameSize*min(l.size, next.size) ||
		math.Abs(l.box.bottom-next.box.bottom) > size/2 || distance < -noSpace*size || distance > maxTracking*size {
		return false
	}
	space := ""
	if distance > likelySpace*size {
		space = " "
	}
	if len(l.cells) > 0 && len(next.cells) > 0 {
		end := &l.cells[len(l.cells)-1]
		end.text, end.right = end.text+space+next.cells[0].text, next.cells[0].right
		l.cells = append(l.cells, next.cells[1:]...)
	}
	l.text, l.box = l.text+space+next.text, l.box.union(next.box)
	return true
}

func lineOf(glyphs []glyph) line {
	glyphs = orderRightToLeft(glyphs)
	usual := usualSpacing(glyphs)
	l := line{box: glyphs[0].box, turn: glyphs[0].turn, cells: []cell{{left: glyphs[0].box.left}}}
	sizes := map[float64]int{}
	base := glyphs[0].box // of the last glyph that is neither raised nor lowered
	var written strings.Builder
	for i, g := range glyphs {
		size := g.box.height()
		sizes[size]++
		space := i > 0 && !g.joined && usual.isSpace(glyphs[i-1], g)
		if space {
			if l.first == 0 {
				l.first = glyphs[i-1].box.right - l.box.left
			}
			if distance, known := gap(glyphs[i-1], g); known && distance > cellGap {
				written.WriteByte('\t')
				l.cells[len(l.cells)-1].right = glyphs[i-1].box.right
				l.cells = append(l.cells, cell{left: g.box.left})
			} else {
				written.WriteByte(' ')
			}
		}
		if i > 0 && !space && isRaised(glyphs[i-1], g, base) {
			if raised, ok := text.Superscript(g.text); ok {
				g.text = raised
			}
		} else if i == 0 || space || size >= .85*base.height() {
			base = g.box
		}
		if accent := accents[g.r]; accent != "" && i+1 < len(glyphs) && isAbove(g, glyphs[i+1]) {
			glyphs[i+1].text += accent
			glyphs[i+1].space, glyphs[i+1].likely = false, false
			glyphs[i+1].joined = true
			continue
		}
		if g.r != unicode.ReplacementChar || i > 0 && i+1 < len(glyphs) && isLetter(glyphs[i-1]) && isLetter(glyphs[i+1]) {
			written.WriteString(g.text)
		}
		l.box = l.box.union(g.box)
	}
	if l.first == 0 {
		l.first = l.box.right - l.box.left
	}
	most := 0
	for size, n := range sizes {
		if n > most || n == most && size > l.size {
			l.size, most = size, n
		}
	}
	l.cells[len(l.cells)-1].right = glyphs[len(glyphs)-1].box.right
	l.setText(compose(written.String()))
	if usual.pitch > 0 && strings.ContainsFunc(l.text, unicode.IsLetter) { // the output or text of a program
		l.cells = nil
	}
	return l
}

// setText sets the text of a line and of its cells, which tabs separate. Lines with text from right
// to left have no cells.
func (l *line) setText(s string) {
	parts := strings.Split(s, "\t")
	if len(parts) != len(l.cells) || strings.ContainsFunc(s, isRightToLeft) {
		l.cells = nil
	}
	for i := range l.cells {
		l.cells[i].text = strings.Join(strings.Fields(parts[i]), " ")
	}
	l.text = strings.Join(strings.Fields(s), " ")
}

// isRaised reports whether a glyph is above a base. One that is as large must be clearly so, because
// the boxes of two fonts differ, and next to a letter or digit.
func isRaised(last, g glyph, base rect) bool {
	rise, size := g.box.bottom-base.bottom, base.height()
	switch {
	case g.turn == oblique:
		return false
	case g.box.height() < .85*size:
		return rise > .15*size
	}
	near := math.Abs(g.box.left-last.box.right) < likelySpace*size && (isLetter(last) || unicode.IsDigit(last.r))
	return near && .3*size < rise && rise < .7*size && g.box.height() < 1.05*size
}

// gap returns the distance of a glyph from the one before it, as a share of its height, and
// whether it means anything: the two are in one line from left to right, or from right to left.
func gap(last, g glyph) (float64, bool) {
	size := g.box.height()
	if size <= 0 || g.box.bottom-last.box.bottom > size/2 || last.box.bottom-g.box.bottom > size/2 {
		return 0, false
	}
	distance := g.box.left - last.box.right
	if isRightToLeft(last.r) || isRightToLeft(g.r) {
		distance = last.box.left - g.box.right
	}
	return distance / size, distance > -size
}

// A spacing is how the letters of a line follow each other.
type spacing struct {
	gap   float64 // usual distance within words, as a share of the height
	pitch float64 // distance of the left edges of nearly all letters, in points; 0 if there is none
}

// isSpace reports whether there is a space between a glyph and the one before it.
func (s spacing) isSpace(last, g glyph) bool {
	distance, known := gap(last, g)
	switch {
	case !known:
		return g.space || g.likely
	case g.space:
		return distance > noSpace
	case s.pitch > 0 && isNear(g.box.left-last.box.left, s.pitch):
		return false
	case g.likely:
		return distance > likelySpace+s.gap
	default:
		return distance > certainSpace+s.gap
	}
}

// usualSpacing returns how the letters follow each other where the file has no spaces.
func usualSpacing(glyphs []glyph) spacing {
	var gaps, pitches []float64
	for i := 1; i < len(glyphs); i++ {
		if glyphs[i-1].r == '.' && glyphs[i].r == '.' { // dots lead to the page in a table of contents
			continue
		}
		if distance, known := gap(glyphs[i-1], glyphs[i]); known && !glyphs[i].space {
			gaps = append(gaps, distance)
			pitches = append(pitches, glyphs[i].box.left-glyphs[i-1].box.left)
		}
	}
	if len(gaps) < 3 {
		return spacing{}
	}
	slices.Sort(gaps)
	slices.Sort(pitches)
	s := spacing{gap: gaps[len(gaps)/2], pitch: pitches[len(pitches)/2]}
	if s.gap < 0 || s.gap > maxTracking {
		s.gap = 0
	}
	same := 0
	for _, p := range pitches {
		if isNear(p, s.pitch) {
			same++
		}
	}
	if s.pitch > glyphs[0].box.height() || 10*same < 9*len(pitches) {
		s.pitch = 0
	}
	return s
}

func isNear(a, b float64) bool { return math.Abs(a-b) < .05*math.Abs(b) }

// isAbove reports whether an accent is drawn over the letter after it.
func isAbove(accent, letter glyph) bool {
	left, right := max(accent.box.left, letter.box.left), min(accent.box.right, letter.box.right)
	return unicode.IsLetter(letter.r) && right-left > (accent.box.right-accent.box.left)/2
}

func isLetter(g glyph) bool { return unicode.IsLetter(g.r) }

// compose replaces ligatures and the forms that Arabic letters have between others by letters,
// and puts accents on their letters.
func compose(s string) string {
	if strings.IndexFunc(s, isPresentationForm) >= 0 {
		var b strings.Builder
		for _, r := range s {
			if isPresentationForm(r) {
				b.WriteString(norm.NFKC.String(string(r)))
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	return norm.NFC.String(s)
}

// isPresentationForm reports whether a character is one of Unicode's ligatures or forms of
// Hebrew and Arabic letters.
func isPresentationForm(r rune) bool { return 0xfb00 <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc }
