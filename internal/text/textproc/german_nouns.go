package textproc

import (
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
)

// minGermanPart is the length of the shortest word that is recognized in a compound, in bytes.
const minGermanPart = 4

// declensions are endings that German common nouns often get and names seldom do. Names get -s, and
// -er for their people.
var declensions = []string{"n", "en", "e", "es", "nen"}

// findGermanNouns marks the German words with a capital that the text shows to be common nouns: they
// also occur with an ending and follow determiners, are compounds of other nouns, or are the head of one.
func (a *Analysis) findGermanNouns() {
	german := false
	for _, s := range a.Sentences {
		german = german || s.Language == language.German
	}
	if !german {
		return
	}
	words := map[string]*Word{} // by lower case
	for _, w := range a.vocabulary {
		if w.Has(Capital) && !w.Has(AllUpper) && w.Has(AllLetters) && len(w.Text) >= minGermanPart && !isCamel(w.Text) {
			words[w.Lower] = w.Base
		}
	}
	for lower, w := range words {
		w.CommonNoun = w.CommonNoun || isGermanNoun(lower)
		for _, end := range declensions {
			other := words[lower+end]
			if other != nil && 5*(w.AfterForeign+other.AfterForeign) > w.Capitalized+other.Capitalized { // Lotte, Lotten
				w.CommonNoun, other.CommonNoun = true, true
			}
		}
		for cut := minGermanPart; cut <= len(lower)-minGermanPart; cut++ {
			head, tail := words[lower[:cut]], words[lower[cut:]]
			if tail != nil {
				w.CommonNoun, tail.CommonNoun = true, true
			}
			if head != nil {
				w.CommonNoun = true
			}
		}
	}
}

// germanNouns holds the stems of common nouns of German.
var germanNouns = sync.OnceValue(func() map[string]bool {
	stems := map[string]bool{}
	for w := range strings.FieldsSeq(listText("german_nouns")) {
		stems[language.German.Term(w)] = true
	}
	return stems
})

// minGermanTail is the length of the shortest listed noun that is recognized at the end of a compound,
// in bytes. Shorter ones also end names.
const minGermanTail = 4

// isGermanNoun reports whether a word in lower case is a form of a listed noun, or a compound of one.
func isGermanNoun(lower string) bool {
	stem := language.German.Term(lower)
	if germanNouns()[stem] {
		return true
	}
	for cut := 2; cut <= len(stem)-minGermanTail; cut++ {
		if germanNouns()[stem[cut:]] {
			return true
		}
	}
	return false
}

// isGermanCommon reports whether a word is a German common noun by its form, by another form of it in
// the text, or by the word after its last hyphen.
func isGermanCommon(w *Word) bool {
	head := w.Lower[strings.LastIndexByte(w.Lower, '-')+1:]
	return w.Base.CommonNoun || w.Is(TechnicalWord) || isGermanNoun(head) || text.HasAnySuffix(head, germanEndings...)
}

// isGermanName reports whether a German word with a capital is likely to be a name: it is repeated,
// mostly follows neither a determiner nor an adjective, and is not a common noun. A word with other
// capitals is one. A compound with a hyphen needs more occurrences.
func isGermanName(w *Word) bool {
	b := w.Base
	if w.Has(AllUpper) && w.Has(AllLetters) || isCamel(w.Text) && !isGermanCommon(w) {
		return true
	}
	least := 2
	if at := strings.LastIndexByte(w.Text, '-'); at >= 0 {
		if least = 3; shapeOf(w.Text[at+1:])&Capital == 0 {
			return false
		}
	}
	return b.Capitalized >= least && 5*b.AfterForeign <= b.Capitalized && b.Lowercase == 0 && !isGermanCommon(w)
}

// isCamel reports whether a word has a capital after a small letter.
func isCamel(s string) bool {
	small := false
	for _, r := range s {
		if small && 'A' <= r && r <= 'Z' {
			return true
		}
		small = 'a' <= r && r <= 'z'
	}
	return false
}
