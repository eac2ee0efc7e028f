package textproc

import (
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

// What makes a text technical: code, or a share of words of manuals.
const (
	leastCode        = 2 // spans or lines of code
	technicalShare   = 2 // per cent of the words
	leastTechnical   = 4 // different words of manuals, of a text without code
	leastHeadingMark = 3 // marks that underline a heading
)

// A classCount counts the words of sentences by what they tell about the text.
type classCount struct {
	words, english, foreign, technical int
}

func (c *classCount) add(toks []Token) {
	const english = Determiner | Preposition | Conjunction | Auxiliary
	for _, t := range toks {
		if !t.Has(Letters) {
			continue
		}
		c.words++
		switch {
		case t.Is(english):
			c.english++
		case t.Is(ForeignDeterminer):
			c.foreign++
		case (t.Class|t.SingularClass)&TechnicalWord != 0:
			c.technical++
		}
	}
}

// countClasses finds the language of each paragraph, and whether the text is English and technical.
func (a *Analysis) countClasses() {
	var all classCount
	other := a.Language // of the last paragraph in another language
	code := len(a.code)
	for from := 0; from < len(a.Sentences); {
		to := from
		var own classCount
		for ; to < len(a.Sentences) && a.Sentences[to].Paragraph == a.Sentences[from].Paragraph; to++ {
			own.add(a.Sentences[to].Tokens)
			if a.Sentences[to].Code {
				code++
			}
		}
		l := a.paragraphLanguage(own, a.Sentences[from].Start, a.Sentences[to-1].End, &other)
		for ; from < to; from++ {
			a.Sentences[from].Language = l
		}
		all.words, all.english, all.foreign, all.technical = all.words+own.words, all.english+own.english, all.foreign+own.foreign, all.technical+own.technical
	}
	if !isForeign(a.Language) {
		a.English = 100*all.english > englishShare*all.words || all.words < shortText && all.foreign <= all.english
	}
	a.Technical = !a.Chat && (code >= leastCode || all.technical >= leastTechnical && 100*all.technical > technicalShare*all.words && a.technicalWords() >= leastTechnical)
}

// technicalWords returns the number of different words of manuals.
func (a *Analysis) technicalWords() int {
	n := 0
	for _, w := range a.vocabulary {
		if w == w.Base && (w.Class|w.SingularClass)&TechnicalWord != 0 {
			n++
		}
	}
	return n
}

// findLowerStems collects the stems of the words that a technical text writes in lower case: another form
// of one with a capital, such as Specifies, is not a name.
func (a *Analysis) findLowerStems() {
	if !a.Technical {
		return
	}
	a.lowerStems = map[string]bool{}
	for _, w := range a.vocabulary {
		if w == w.Base && w.Lowercase > 0 && w.Has(AllLetters) && w.Runes > 3 {
			a.lowerStems[language.English.Term(w.Lower)] = true
		}
	}
	delete(a.lowerStems, "") // of stop words
}

// IsHeading reports whether a sentence is a heading with a mark of Markdown or an underline.
func (a *Analysis) IsHeading(s Sentence) bool {
	if !s.Fragment || s.Code {
		return false
	}
	if s.Tokens[0].IsSymbol('#') {
		return true
	}
	rest, found := strings.CutPrefix(a.text[s.End:], "\n")
	if !found || len(rest) < leastHeadingMark || !strings.ContainsRune("=-~^\"*+.#`'", rune(rest[0])) {
		return false
	}
	line, _, _ := strings.Cut(rest, "\n")
	return len(line) >= leastHeadingMark && strings.Trim(line, rest[:1]) == ""
}
