package sanitize

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// IsControl reports whether r does something instead of being seen: control characters,
// with which terminal sequences begin, characters that change the direction of text, and
// invisible ones that can carry hidden text. Line breaks and tabs are among them; joiners,
// which many scripts need, are not.
func IsControl(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0: // C0, DEL and C1
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // direction
	case r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f: // byte order mark, annotations, tags
	default:
		return false
	}
	return true
}

// Controls removes from a text the characters for which IsControl is true, except line
// breaks and tabs. Bytes that are not UTF-8 become U+FFFD.
func Controls(text string) string { return strings.Map(printable, text) }

func printable(r rune) rune {
	if r != '\n' && r != '\t' && IsControl(r) {
		return -1
	}
	return r
}

// JSON escapes in encoded JSON the characters for which IsControl is true: the value stays
// the same, and a terminal does not act on it.
func JSON(encoded []byte) []byte {
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		switch {
		case r < 0x7f || !IsControl(r):
			out = append(out, encoded[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		encoded = encoded[size:]
	}
	return out
}
