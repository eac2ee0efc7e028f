package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// plain takes control characters out of text that came from documents, so that
// it cannot drive a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && drivesTerminal(r) {
			return -1
		}
		return r
	}, s)
}

// drivesTerminal tells control characters, and those that turn the direction of text.
func drivesTerminal(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// quietJSON writes such characters, which JSON lets stand in strings, as
// escapes: what is read is the same, and a terminal does not obey.
func quietJSON(encoded []byte) []byte {
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		if r >= 0x7f && drivesTerminal(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, encoded[:size]...)
		}
		encoded = encoded[size:]
	}
	return out
}
