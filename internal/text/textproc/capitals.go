package textproc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// IsCapitals reports whether a word has at least two letters and all of them are capitals: RCC, B2B.
func IsCapitals(word string) bool {
	letters := 0
	for _, r := range word {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > 1
}

// HiddenAbbreviations returns the words of a question in capitals that are stop words in small letters, as
// ALL, IT and WHO are, so that no search by terms finds them. A question in capitals has none.
func HiddenAbbreviations(question string) []string {
	if !strings.ContainsFunc(question, unicode.IsLower) {
		return nil
	}
	l := language.Of(question)
	var out []string
	for field := range strings.FieldsSeq(question) {
		word := strings.TrimFunc(field, func(r rune) bool { return !isWordRune(r) })
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		small := strings.ToLower(word)
		stop := language.English.IsStopWord(small) || l.IsStopWord(small)
		if utf8.RuneCountInString(word) > 1 && IsCapitals(word) && stop && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
