package markdown

import "strings"

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

// IsControl reports whether Sanitize removes r. Unlike Sanitize it counts line
// breaks and tabs.
func IsControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}
