package decode

import (
	"unicode"

	"golang.org/x/text/encoding"
)

// detectWide returns the encoding of a text without a mark if it is UTF-16 that has NUL bytes: of
// mostly Latin text nearly all high bytes are NUL, in other scripts the high bytes of spaces and line ends.
// Otherwise it returns nil.
func detectWide(raw []byte) encoding.Encoding {
	head := raw[:min(len(raw), Sniffed)&^1]
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	units := len(head) / 2
	switch {
	case units < 2:
		return nil
	case nul[1]*10 > units*7 && nul[0]*20 < units:
		return utf16LE
	case nul[0]*10 > units*7 && nul[1]*20 < units:
		return utf16BE
	case nul[0]+nul[1] > 0 && units >= 8:
		return detectWideOf(head, isWideText)
	}
	return nil
}

// isCJK reports whether a unit of UTF-16 is Chinese, Japanese or Korean, or ASCII among it.
func isCJK(unit rune) bool {
	return unit > 0 && unit < 0x80 || unit >= 0x3000 && unit < 0x3100 || unit >= 0xff00 && unit < 0xfff0 || unicode.In(unit, unicode.Han, unicode.Hangul)
}

// isWideText reports whether a unit of UTF-16 is a character of common scripts.
func isWideText(unit rune) bool {
	return isCJK(unit) || unit < 0x2070 && (unicode.IsGraphic(unit) || unicode.IsSpace(unit))
}

// detectWideOf returns the encoding of a text if nearly all of it is UTF-16 of known characters, or
// nil. Of the two orders of bytes, it is the one with fewer different high bytes. Text whose bytes are
// mostly ASCII is not UTF-16, although most pairs of ASCII are Chinese there.
func detectWideOf(raw []byte, isKnown func(unit rune) bool) encoding.Encoding {
	head := raw[:min(len(raw), Sniffed)&^1]
	units := len(head) / 2
	var known [2]int
	var high [2][256]bool
	printable := 0
	for _, b := range head {
		if b >= ' ' && b < 0x7f {
			printable++
		}
	}
	for i := 0; i < len(head); i += 2 {
		for order, unit := range [2]rune{rune(head[i]) | rune(head[i+1])<<8, rune(head[i+1]) | rune(head[i])<<8} {
			high[order][unit>>8] = true
			if isKnown(unit) {
				known[order]++
			}
		}
	}
	different := func(order int) (n int) {
		for _, used := range high[order] {
			if used {
				n++
			}
		}
		return n
	}
	order, e := 0, utf16LE
	if different(1) < different(0) {
		order, e = 1, utf16BE
	}
	if units < 8 || known[order]*20 < units*19 || printable*8 >= len(head)*7 {
		return nil
	}
	return e
}
