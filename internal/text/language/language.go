// Package language detects the language of a text, and knows the stop words and stems of some.
//
// A language with its own script is detected by its letters, another one by its function words
// (articles, prepositions, pronouns), which are also its stop words: one file a language under
// words/. Stems are made by Snowball. Every function depends on its arguments alone.
package language

import "slices"

// A Language is the ISO 639-1 code of a language, in lower case.
type Language string

// The languages that are detected. Unknown is any other.
const (
	Unknown    Language = ""
	Arabic     Language = "ar"
	Chinese    Language = "zh"
	Danish     Language = "da"
	Dutch      Language = "nl"
	English    Language = "en"
	French     Language = "fr"
	German     Language = "de"
	Greek      Language = "el"
	Hebrew     Language = "he"
	Hindi      Language = "hi"
	Italian    Language = "it"
	Japanese   Language = "ja"
	Korean     Language = "ko"
	Norwegian  Language = "nb"
	Portuguese Language = "pt"
	Russian    Language = "ru"
	Spanish    Language = "es"
	Swedish    Language = "sv"
	Thai       Language = "th"
)

// all lists the languages with what is known of each, in the order of their English names.
var all = []struct {
	language Language
	words    string // file of its function words under words/; without one it is detected by its script
	latin    bool   // it is written in Latin letters
}{
	{Arabic, "arabic", false},
	{Chinese, "", false},
	{Danish, "danish", true},
	{Dutch, "dutch", true},
	{English, "english", true},
	{French, "french", true},
	{German, "german", true},
	{Greek, "", false},
	{Hebrew, "", false},
	{Hindi, "hindi", false},
	{Italian, "italian", true},
	{Japanese, "", false},
	{Korean, "", false},
	{Norwegian, "norwegian", true},
	{Portuguese, "portuguese", true},
	{Russian, "russian", false},
	{Spanish, "spanish", true},
	{Swedish, "swedish", true},
	{Thai, "", false},
}

// All returns the languages that are detected, in the order of their English names.
func All() []Language {
	out := make([]Language, len(all))
	for i, l := range all {
		out[i] = l.language
	}
	return out
}

// Latin returns the languages of All that are written in Latin letters.
func Latin() []Language {
	return slices.DeleteFunc(All(), func(l Language) bool { return !l.IsLatin() })
}

// IsLatin reports whether a language that is detected is written in Latin letters. It is false for
// Unknown.
func (l Language) IsLatin() bool {
	at := placeOf(l)
	return at >= 0 && all[at].latin
}

// HasCapitals reports whether the script of a language has capitals. It is true for Unknown.
func (l Language) HasCapitals() bool {
	switch l {
	case Arabic, Chinese, Hebrew, Hindi, Japanese, Korean, Thai:
		return false
	}
	return true
}

// SeparatesWords reports whether a language writes spaces between words. It is true for Unknown.
func (l Language) SeparatesWords() bool { return l != Chinese && l != Japanese && l != Thai }
