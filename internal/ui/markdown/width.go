package markdown

import (
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth returns the columns of a rune on a terminal: 0 for combining marks, 2 for
// wide letters and most emoji. The emoji variation selector counts as 1, since it makes
// a narrow character wide.
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

// Width returns the columns of a text without control characters on a terminal.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Fit returns the beginning of a text that fits into a number of columns.
func Fit(s string, columns int) string {
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > columns {
			return s[:i]
		}
	}
	return s
}
