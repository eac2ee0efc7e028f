package export

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// storable returns valid UTF-8 without control characters, except for line breaks and
// tabs: U+FFFD replaces what no format can carry or a terminal would act on.
func storable(text string) string {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if mustReplace(r, size) {
			return replaceBad(text)
		}
		i += size
	}
	return text
}

// mustReplace reports whether storable replaces r, which has size bytes. That includes
// what XML 1.0 cannot carry.
func mustReplace(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' || r >= 0x7f && r < 0xa0 ||
		r == 0xfffe || r == 0xffff
}

func replaceBad(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if mustReplace(r, size) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;",
	"\n", "&#10;", "\t", "&#9;", "\r", "&#13;")

// xmlText returns a text as the content of an element or of a quoted attribute.
func xmlText(text string) string { return xmlEscapes.Replace(storable(text)) }

func formatInt(n int) string { return strconv.Itoa(n) }

// formatDecimal returns v with two decimals, enough for a place.
func formatDecimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	if s == "-0.00" {
		return "0.00"
	}
	return s
}

// round2 rounds to two decimals.
func round2(v float64) float64 { return math.Round(v*100) / 100 }
