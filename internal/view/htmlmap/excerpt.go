package htmlmap

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// shorten cuts a text to at most limit runes, between words if possible, and ends it
// with "…". It also folds white space.
func shorten(s string, limit int) string {
	s = text.OneLine(s)
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	end, runes, space := 0, 0, 0
	for i, r := range s {
		if runes == limit-1 {
			end = i
			break
		}
		if unicode.IsSpace(r) {
			space = i
		}
		runes++
	}
	if space > end*2/3 {
		end = space
	}
	return strings.TrimRight(s[:end], " ,;:") + "…"
}

// excerpt returns the sentence of a text that mentions a name, or the beginning of the
// text without one, in at most limit runes.
func excerpt(s, name string, limit int) string {
	s = text.OneLine(s)
	at := strings.Index(s, name)
	if folded := strings.ToLower(s); at < 0 && len(folded) == len(s) {
		at = strings.Index(folded, strings.ToLower(name))
	}
	if name == "" || at < 0 || !utf8.RuneStart(s[at]) || at+len(name) > len(s) {
		return shorten(s, limit)
	}
	start := 0
	for i := range s[:at] {
		if i > 1 && s[i] == ' ' && strings.ContainsRune(".!?", lastRune(s[:i])) {
			start = i + 1
		}
	}
	prefix := ""
	if over := utf8.RuneCountInString(s[start:at]) + utf8.RuneCountInString(name); over > limit*2/3 {
		start, prefix = wordBefore(s, at, limit/3), "…"
	}
	rest := s[start:]
	if end := sentenceEnd(rest, at-start+len(name)); end > 0 {
		rest = rest[:end]
	}
	return prefix + shorten(rest, limit-utf8.RuneCountInString(prefix))
}

// lastRune returns the last rune of a text, closing quotation marks and brackets aside.
func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’)`))
	return r
}

// sentenceEnd returns the end of the sentence around a position, or 0 if it ends with
// the text.
func sentenceEnd(text string, from int) int {
	for i := min(from, len(text)); i < len(text); i++ {
		if text[i] == ' ' && i > 0 && strings.ContainsRune(".!?", lastRune(text[:i])) {
			return i
		}
	}
	return 0
}

// wordBefore returns the start of a word about that many runes before a position.
func wordBefore(text string, at, runes int) int {
	start := at
	for range runes {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	if space := strings.IndexByte(text[start:at], ' '); space >= 0 && start > 0 {
		start += space + 1
	}
	return start
}
