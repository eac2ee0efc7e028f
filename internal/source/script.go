package source

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// A script is how a text stands to its line.
type script int

const (
	lowered script = iota - 1
	onLine
	raised
)

// scriptOf returns the script that a file names, or gives as a height above the line: "super 58%",
// "-33%".
func scriptOf(value string) script {
	switch position, _, _ := strings.Cut(value, " "); position {
	case "super", "superscript":
		return raised
	case "sub", "subscript":
		return lowered
	default:
		height, _ := strconv.ParseFloat(strings.TrimSuffix(position, "%"), 64) // an invalid one is 0
		return script(cmp.Compare(height, 0))
	}
}

// raisedText returns a raised text as it is written after a character: digits and signs as raised
// characters, and a letter after "^", so that they are not read as a part of the number or word
// before them.
func raisedText(before rune, s string) string {
	if !isAttached(before) {
		return s
	}
	if digits, ok := text.Superscript(s); ok {
		return digits
	}
	if first, _ := utf8.DecodeRuneInString(s); len(s) == 1 && unicode.IsLetter(before) && unicode.IsLower(first) {
		return "^" + s
	}
	return s
}

// loweredText returns a lowered text as it is written between two characters: lowered characters
// where a digit follows, which would be read as a part of the same number.
func loweredText(before rune, s string, after rune) string {
	if digits, ok := text.Subscript(s); ok && isAttached(before) && unicode.IsDigit(after) {
		return digits
	}
	return s
}

// isAttached reports whether a raised or lowered text belongs to the character before it.
func isAttached(before rune) bool {
	return unicode.IsLetter(before) || unicode.IsNumber(before) || strings.ContainsRune(")⁺⁻₊₋", before)
}

// A lineText is the text of a paragraph with raised and lowered parts.
type lineText struct {
	bytes []byte
	lower int // where lowered text at the end begins, if it has one
}

// write appends text on the line.
func (l *lineText) write(s string) { l.writeScript(s, onLine) }

// writeScript appends text that is raised, lowered or on the line.
func (l *lineText) writeScript(s string, as script) {
	if s == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(s); l.lower < len(l.bytes) && as == onLine {
		before, _ := utf8.DecodeLastRune(l.bytes[:l.lower])
		l.bytes = append(l.bytes[:l.lower], loweredText(before, string(l.bytes[l.lower:]), first)...)
	}
	if as == raised {
		shown := strings.TrimRight(s, " ")
		before, _ := utf8.DecodeLastRune(l.bytes)
		s = raisedText(before, shown) + s[len(shown):]
	}
	l.bytes = append(l.bytes, s...)
	if as != lowered {
		l.lower = len(l.bytes)
	}
}

// bracketed returns a term in brackets, unless it is one number or name.
func bracketed(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ',' }) {
		return "(" + s + ")"
	}
	return s
}
