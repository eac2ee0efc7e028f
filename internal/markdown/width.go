package markdown

import (
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth is how many columns a rune takes on a terminal: none for marks that
// sit on another, two for wide letters and most pictures. The selector that
// asks for a picture counts as one, since it makes a narrow sign wide.
func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if r == 0xfe0f {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Width is how many columns a text without control characters takes.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Fit cuts a text to a number of columns.
func Fit(s string, columns int) string {
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > columns {
			return s[:i]
		}
	}
	return s
}
