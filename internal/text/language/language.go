// Package language detects the language of a text, and knows the stop words and stems of some.
//
// A language with its own script is detected by its letters, another one by its function words
// (articles, prepositions, pronouns), which are also its stop words: one file a language under
// words/. Stems are made by Snowball. Every function depends on its arguments alone.
package language

import (
	"cmp"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
)

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

// An info is what is known of a language.
type info struct {
	language Language
	name     string // in English
	words    bool   // its function words are in a file of its name under words/; without them it is detected by its script
	latin    bool   // it is written in Latin letters
	stem     func(*snowballstem.Env) bool
}

// all lists the languages in the order of their names.
var all = []info{
	{Arabic, "Arabic", true, false, arabic.Stem},
	{Chinese, "Chinese", false, false, nil},
	{Danish, "Danish", true, true, danish.Stem},
	{Dutch, "Dutch", true, true, dutch.Stem},
	{English, "English", true, true, english.Stem},
	{French, "French", true, true, french.Stem},
	{German, "German", true, true, german.Stem},
	{Greek, "Greek", false, false, nil},
	{Hebrew, "Hebrew", false, false, nil},
	{Hindi, "Hindi", true, false, nil},
	{Italian, "Italian", true, true, italian.Stem},
	{Japanese, "Japanese", false, false, nil},
	{Korean, "Korean", false, false, nil},
	{Norwegian, "Norwegian", true, true, norwegian.Stem},
	{Portuguese, "Portuguese", true, true, portuguese.Stem},
	{Russian, "Russian", true, false, russian.Stem},
	{Spanish, "Spanish", true, true, spanish.Stem},
	{Swedish, "Swedish", true, true, swedish.Stem},
	{Thai, "Thai", false, false, nil},
}

// placeOf returns the place of a language in all, -1 for Unknown.
func placeOf(l Language) int {
	return slices.IndexFunc(all, func(o info) bool { return o.language == l })
}

// All returns the languages that are detected, in the order of their English names.
func All() []Language {
	out := make([]Language, len(all))
	for i, l := range all {
		out[i] = l.language
	}
	return out
}

// Name returns the English name of a language that is detected, "" for another one.
func (l Language) Name() string {
	if at := placeOf(l); at >= 0 {
		return all[at].name
	}
	return ""
}

// NameOf returns the English name for the ISO 639-1 code of a language that is detected, in any
// case; every other text is returned as it is.
func NameOf(code string) string { return cmp.Or(Language(strings.ToLower(code)).Name(), code) }

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
