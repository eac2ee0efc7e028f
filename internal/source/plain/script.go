package plain

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// A Script is how a text stands to its line.
type Script int

// The scripts.
const (
	Lowered Script = iota - 1
	OnLine
	Raised
)

// ScriptOf returns the script that a file names, or gives as a height above the line: "super 58%",
// "-33%".
func ScriptOf(value string) Script {
	switch position, _, _ := strings.Cut(value, " "); position {
	case "super", "superscript":
		return Raised
	case "sub", "subscript":
		return Lowered
	default:
		height, _ := strconv.ParseFloat(strings.TrimSuffix(position, "%"), 64) // an invalid one is 0
		return Script(cmp.Compare(height, 0))
	}
}

// RaisedText returns a raised text as it is written after a character: digits and signs as raised
// characters, and a letter after "^", so that they are not read as a part of the number or word
// before them.
func RaisedText(before rune, s string) string {
	if !IsAttached(before) {
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

// LoweredText returns a lowered text as it is written between two characters: lowered characters
// where a digit follows, which would be read as a part of the same number.
func LoweredText(before rune, s string, after rune) string {
	if digits, ok := text.Subscript(s); ok && IsAttached(before) && unicode.IsDigit(after) {
		return digits
	}
	return s
}

// IsAttached reports whether a raised or lowered text belongs to the character before it.
func IsAttached(before rune) bool {
	return unicode.IsLetter(before) || unicode.IsNumber(before) || strings.ContainsRune(")⁺⁻₊₋", before)
}

// A Line is the text of a paragraph with raised and lowered parts.
type Line struct {
	Bytes []byte
	lower int // where lowered text at the end begins, if it has one
}

// Write appends text on the line.
func (l *Line) Write(s string) { l.WriteScript(s, OnLine) }

// WriteScript appends text that is raised, lowered or on the line.
func (l *Line) WriteScript(s string, as Script) {
	if s == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(s); l.lower < len(l.Bytes) && as == OnLine {
		before, _ := utf8.DecodeLastRune(l.Bytes[:l.lower])
		l.Bytes = append(l.Bytes[:l.lower], LoweredText(before, string(l.Bytes[l.lower:]), first)...)
	}
	if as == Raised {
		shown := strings.TrimRight(s, " ")
		before, _ := utf8.DecodeLastRune(l.Bytes)
		s = RaisedText(before, shown) + s[len(shown):]
	}
	l.Bytes = append(l.Bytes, s...)
	if as != Lowered {
		l.lower = len(l.Bytes)
	}
}

// Bracketed returns a term in brackets, unless it is one number or name.
func Bracketed(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ',' }) {
		return "(" + s + ")"
	}
	return s
}

// Exponent returns a term as an exponent: in raised characters, or after "^".
func Exponent(s string) string {
	if raised, ok := text.Superscript(s); ok {
		return raised
	}
	return "^" + Bracketed(s)
}

// Index returns a term as an index: in lowered characters, or after "_".
func Index(s string) string {
	if lowered, ok := text.Subscript(s); ok {
		return lowered
	}
	return "_" + Bracketed(s)
}
