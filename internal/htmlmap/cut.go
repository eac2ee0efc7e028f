package htmlmap

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// short is a text of at most limit runes, cut between words and closed by "…".
func short(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	end, runes, space := 0, 0, 0
	for i, r := range text {
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
	return strings.TrimRight(text[:end], " ,;:") + "…"
}

// around is the sentence of a text that names something, of at most limit
// runes; the text's beginning when it names it nowhere.
func around(text, name string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	at := strings.Index(text, name)
	if folded := strings.ToLower(text); at < 0 && len(folded) == len(text) {
		at = strings.Index(folded, strings.ToLower(name))
	}
	if name == "" || at < 0 || !utf8.RuneStart(text[at]) || at+len(name) > len(text) {
		return short(text, limit)
	}
	start := 0
	for i := range text[:at] {
		if i > 1 && text[i] == ' ' && strings.ContainsRune(".!?", lastLetter(text[:i])) {
			start = i + 1
		}
	}
	prefix := ""
	if over := utf8.RuneCountInString(text[start:at]) + utf8.RuneCountInString(name); over > limit*2/3 {
		start, prefix = wordBefore(text, at, limit/3), "…"
	}
	rest := text[start:]
	if end := sentenceEnd(rest, at-start+len(name)); end > 0 {
		rest = rest[:end]
	}
	return prefix + short(rest, limit-utf8.RuneCountInString(prefix))
}

// lastLetter is the last rune of a text that is no closing quotation mark.
func lastLetter(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, `"'”’)`))
	return r
}

// sentenceEnd is where the sentence around a place ends, 0 for with the text.
func sentenceEnd(text string, from int) int {
	for i := min(from, len(text)); i < len(text); i++ {
		if text[i] == ' ' && i > 0 && strings.ContainsRune(".!?", lastLetter(text[:i])) {
			return i
		}
	}
	return 0
}

// wordBefore is the start of a word about that many runes before a place.
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
