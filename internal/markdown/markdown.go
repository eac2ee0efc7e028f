// Package markdown shows the markdown that models and reports are written in:
// on a terminal while it comes, as HTML, and as markdown whose references are
// links. It reads the part of the language that answers use: headings, lists,
// quotes, code, emphasis and references such as [3], line by line.
//
// The text is never trusted. Control characters go, links and images are shown
// as text, HTML is text, and whatever the pieces in which a text comes, the
// result is the same.
package markdown

import (
	"strings"
	"unicode/utf8"
)

// Sanitize removes control characters, with which terminal escapes begin, and the
// marks that change the direction of text. Line breaks and tabs stay.
func Sanitize(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && IsControl(r) {
			return -1
		}
		return r
	}, s)
}

// IsControl reports whether Sanitize removes r. Unlike Sanitize it counts line breaks and tabs.
func IsControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}

// kind is the kind of a block.
type kind int

const (
	paragraph kind = iota
	heading
	item
	quote
	code
	rule
	row
)

// A block is what stands on lines of its own.
type block struct {
	kind   kind
	level  int    // of a heading, 1 to 6; else how deep in lists it stands
	marker string // of an item: "•" or a number such as "3."
	loose  bool   // an empty line stands before it
}

// style is how a span looks, in bits.
type style uint8

const (
	bold style = 1 << iota
	italic
	monospace
	reference
)

// A span is a piece of text of one style. Of code it is a whole line; a break is
// the end of a line that the text asks for.
type span struct {
	text  string
	style style
	n     int // of a reference
	end   bool
}

// A sink takes blocks and what they hold, in order.
type sink interface {
	open(b block)
	text(s span)
	close()
}

// whole takes a text to a sink.
func whole(text string, to sink) {
	p := &parser{to: to}
	p.write(text)
	p.end()
}

// cutRune parts bytes before a rune that is not complete yet.
func cutRune(s string) (done, rest string) {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return s[:i], s[i:]
			}
			break
		}
	}
	return s, ""
}
