package terminal

import (
	"fmt"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/markdown"
	"github.com/neorag/neorag/internal/text"
)

// Sanitize removes control characters from text that came from documents or
// models, so that it cannot send escape sequences to a terminal. Line breaks and
// tabs stay.
func Sanitize(s string) string { return markdown.Sanitize(s) }

// OneLine sanitizes s and folds its white space, line breaks included.
func OneLine(s string) string { return text.OneLine(Sanitize(s)) }

// SanitizeJSON escapes the control characters that JSON allows in strings: the
// value stays the same, and a terminal does not act on them.
func SanitizeJSON(encoded []byte) []byte {
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		if r >= 0x7f && markdown.IsControl(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, encoded[:size]...)
		}
		encoded = encoded[size:]
	}
	return out
}
