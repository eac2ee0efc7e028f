package textproc

import (
	"sync"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
)

// paragraphLanguage returns the language of a paragraph: usually the language of the text, or another
// one, as in a manual of which only a part is translated. Only paragraphs with more function words of other languages are
// examined. One that is too short to tell is in other, the language of the last such paragraph.
func (a *Analysis) paragraphLanguage(words classCount, start, end int, other *language.Language) language.Language {
	l := a.Language
	isOther := words.foreign > words.english
	if isForeign(l) {
		isOther = words.english > words.foreign
	}
	if !isOther || a.Chat || !l.HasCapitals() {
		return l
	}
	switch own := language.Of(a.text[start:end]); {
	case own == language.Unknown:
		return *other
	case own.HasCapitals():
		*other = own
		return own
	}
	return l
}

// isForeign reports whether a language is known and is not English.
func isForeign(l language.Language) bool {
	return l != language.English && l != language.Unknown
}

// marksNoun reports whether a common noun with a capital is likely to follow a word, as in German.
func marksNoun(l language.Language, t Token) bool {
	if l == language.German {
		return germanDeterminers()[t.Lower] || hasForeignEnding(t.Text) && t.Has(AllLower) && !l.IsStopWord(t.Lower)
	}
	return t.Is(ForeignDeterminer) || hasForeignEnding(t.Text)
}

// hasForeignEnding reports whether a word may be a German adjective or noun.
func hasForeignEnding(s string) bool { return text.HasAnySuffix(s, "en", "er", "es", "em") }

// germanDeterminers holds what a German common noun follows and a name does not.
var germanDeterminers = sync.OnceValue(func() map[string]bool { return wordSet(listText("german_determiners")) })

// germanEndings are endings of common nouns of German.
var germanEndings = []string{"ung", "ungen", "heit", "heiten", "keit", "keiten", "schaft", "schaften", "tion", "tionen", "tät", "nis", "nisse", "ismus", "tum", "ator", "atoren", "ierer", "ierern", "enz", "enzen", "anz", "ling", "linge", "lingen"}
