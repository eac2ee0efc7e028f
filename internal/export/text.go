package export

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clean makes a text that every reader of text takes: valid UTF-8, without the
// control characters that a terminal obeys; each becomes U+FFFD.
func clean(text string) string {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if bad(r, size) {
			return cleaned(text)
		}
		i += size
	}
	return text
}

// bad also holds for what XML 1.0 cannot carry.
func bad(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 ||
		r == 0xfffe || r == 0xffff
}

func cleaned(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if bad(r, size) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;",
	"\n", "&#10;", "\t", "&#9;", "\r", "&#13;")

// xmlText is a text as the content of an element or of an attribute in quotes.
func xmlText(text string) string { return xmlEscapes.Replace(clean(text)) }

func whole(n int) string { return strconv.Itoa(n) }

// real has as many decimals as a place needs.
func real(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	if s == "-0.00" {
		return "0.00"
	}
	return s
}

// cent is a number of two decimals.
func cent(v float64) float64 { return math.Round(v*100) / 100 }
