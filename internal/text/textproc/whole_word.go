package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isWholeWord reports whether text[start:end] is one or several words, not a part of a
// longer one. In scripts without spaces between words every character may be one.
func isWholeWord(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	first, _ := utf8.DecodeRuneInString(text[start:end])
	last, _ := utf8.DecodeLastRuneInString(text[start:end])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !areJoined(before, first) && !areJoined(last, after)
}

// ContainsWords reports whether a text has words, not a part of a longer one. It is false for "".
func ContainsWords(text, words string) bool {
	for from := 0; words != ""; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return false
		}
		start := from + at
		if isWholeWord(text, start, start+len(words)) {
			return true
		}
		from = start + 1
	}
	return false
}

// areJoined reports whether two neighbouring runes are of one word.
func areJoined(a, b rune) bool {
	inWord := func(r rune) bool { return isWordRune(r) || unicode.IsMark(r) }
	return inWord(a) && inWord(b) && !isIdeographic(a) && !isIdeographic(b)
}
