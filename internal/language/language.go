// Package language detects the language of a text, and knows the stop words and stems of some.
//
// A language with its own script is detected by its letters, another one by its function words
// (articles, prepositions, pronouns), which are also its stop words: one file a language under
// words/. Stems are those of Snowball. Every function depends on its arguments alone.
package language

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

// all lists the languages with what is known of each, in the order of their names.
var all = []struct {
	language Language
	name     string
	words    string // file of its function words under words/; without one it is detected by its script
}{
	{Arabic, "Arabic", "arabic"},
	{Chinese, "Chinese", ""},
	{Danish, "Danish", "danish"},
	{Dutch, "Dutch", "dutch"},
	{English, "English", "english"},
	{French, "French", "french"},
	{German, "German", "german"},
	{Greek, "Greek", ""},
	{Hebrew, "Hebrew", ""},
	{Hindi, "Hindi", "hindi"},
	{Italian, "Italian", "italian"},
	{Japanese, "Japanese", ""},
	{Korean, "Korean", ""},
	{Norwegian, "Norwegian", "norwegian"},
	{Portuguese, "Portuguese", "portuguese"},
	{Russian, "Russian", "russian"},
	{Spanish, "Spanish", "spanish"},
	{Swedish, "Swedish", "swedish"},
	{Thai, "Thai", ""},
}

// All returns the languages that are detected, in the order of their English names.
func All() []Language {
	out := make([]Language, len(all))
	for i, l := range all {
		out[i] = l.language
	}
	return out
}

// Latin returns the languages in Latin letters that are detected, sorted.
func Latin() []Language {
	return []Language{Danish, German, English, Spanish, French, Italian, Norwegian, Dutch, Portuguese, Swedish}
}

// Name returns the English name of a language, "unknown" for one that is not detected.
func (l Language) Name() string {
	for _, known := range all {
		if known.language == l {
			return known.name
		}
	}
	return "unknown"
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
