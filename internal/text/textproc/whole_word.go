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

// ReplaceWord returns a text with a word replaced, where it is not a part of a longer one or of words that
// hyphens join.
func ReplaceWord(text, word, with string) string {
	var b strings.Builder
	for at := strings.Index(text, word); word != "" && at >= 0; at = strings.Index(text, word) {
		end := at + len(word)
		if isWholeWord(text, at, end) && !strings.HasSuffix(text[:at], "-") && !strings.HasPrefix(text[end:], "-") {
			b.WriteString(text[:at] + with)
		} else {
			b.WriteString(text[:end])
		}
		text = text[end:]
	}
	return b.String() + text
}

// areJoined reports whether two neighbouring runes are of one word.
func areJoined(a, b rune) bool {
	inWord := func(r rune) bool { return isWordRune(r) || unicode.IsMark(r) }
	return inWord(a) && inWord(b) && !isIdeographic(a) && !isIdeographic(b)
}
