package pdftext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A vocabulary is the words of a document, in lower case.
type vocabulary map[string]bool

// vocabularyOf returns the words of lines, without those that a line ends in the middle of.
func vocabularyOf(lines []line) vocabulary {
	words := vocabulary{}
	broken := false
	for _, l := range lines {
		all := strings.FieldsFunc(l.text, func(r rune) bool { return !isOfWord(r) })
		if broken && len(all) > 0 {
			all = all[1:]
		}
		if broken = strings.HasSuffix(l.text, "-"); broken && len(all) > 0 {
			all = all[:len(all)-1]
		}
		for _, word := range all {
			words[strings.ToLower(word)] = true
		}
	}
	return words
}

// isHyphenated reports whether a hyphen between the halves of a word is only there because a
// line ends: the document has the word without it, or not both halves as words.
func (v vocabulary) isHyphenated(first, second string) bool {
	if r, _ := utf8.DecodeRuneInString(second); !unicode.IsLower(r) {
		return false
	}
	first, second = strings.ToLower(first), strings.ToLower(second)
	switch {
	case strings.ContainsFunc(first, unicode.IsDigit):
		return false
	case v[first+second]:
		return true
	case v[first+"-"+second]:
		return false
	case min(len(first), len(second)) <= 2:
		return true
	}
	return !v[first] || !v[second]
}

func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' }

// lastWord returns the letters and digits at the end of a text.
func lastWord(text []byte) string {
	at := len(text)
	for at > 0 {
		r, n := utf8.DecodeLastRune(text[:at])
		if !isOfWord(r) {
			break
		}
		at -= n
	}
	return string(text[at:])
}

// firstWord returns the letters and digits at the beginning of a text.
func firstWord(text string) string {
	if end := strings.IndexFunc(text, func(r rune) bool { return !isOfWord(r) }); end >= 0 {
		return text[:end]
	}
	return text
}
