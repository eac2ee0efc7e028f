package cli

import (
	"fmt"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/markdown"
)

// plain takes control characters out of text that came from documents, so that
// it cannot drive a terminal.
func plain(s string) string { return markdown.Clean(s) }

// quietJSON writes such characters, which JSON lets stand in strings, as
// escapes: what is read is the same, and a terminal does not obey.
func quietJSON(encoded []byte) []byte {
	out := make([]byte, 0, len(encoded))
	for len(encoded) > 0 {
		r, size := utf8.DecodeRune(encoded)
		if r >= 0x7f && markdown.Drives(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, encoded[:size]...)
		}
		encoded = encoded[size:]
	}
	return out
}
