package textproc

import (
	"sync"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
)

// findLanguages sets the language of every sentence: that of its paragraph if it is another one than
// that of the text, as in a manual of which only a part is translated. Only paragraphs with function
// words of other languages than that of the text are examined.
func (a *Analysis) findLanguages() {
	other := a.Language // of the last paragraph in another language
	for from := 0; from < len(a.Sentences); {
		to := from
		english, foreign := 0, 0
		for ; to < len(a.Sentences) && a.Sentences[to].Paragraph == a.Sentences[from].Paragraph; to++ {
			for _, t := range a.Sentences[to].Tokens {
				if t.Is(ForeignDeterminer) && !t.Is(Determiner|Preposition|Auxiliary|Pronoun) {
					foreign++
				} else if t.Is(Determiner | Preposition | Conjunction | Auxiliary) {
					english++
				}
			}
		}
		l := a.Language
		if l.HasCapitals() && (isForeign(l) && english > foreign || !isForeign(l) && foreign > english) {
			own := language.Of(a.text[a.Sentences[from].Start:a.Sentences[to-1].End])
			switch {
			case own == language.Unknown: // too short to tell
				l = other
			case own.HasCapitals():
				l, other = own, own
			}
		}
		for ; from < to; from++ {
			a.Sentences[from].Language = l
		}
	}
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
