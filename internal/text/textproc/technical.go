package textproc

import "strings"

// What makes a text technical: code, or a share of words of manuals.
const (
	leastCode        = 2 // spans or lines of code
	technicalShare   = 2 // per cent of the words
	leastTechnical   = 4 // different words of manuals, of a text without code
	leastHeadingMark = 3 // marks that underline a heading
)

// findTechnical decides whether the text is technical.
func (a *Analysis) findTechnical() {
	if a.Chat {
		return
	}
	code, words, technical := len(a.code), 0, 0
	different := map[*Word]bool{}
	for _, s := range a.Sentences {
		if s.Code {
			code++
			continue
		}
		for _, t := range s.Tokens {
			if !t.Has(Letters) {
				continue
			}
			words++
			if (t.Class|t.SingularClass)&TechnicalWord != 0 {
				technical++
				different[t.Base] = true
			}
		}
	}
	a.Technical = code >= leastCode || len(different) >= leastTechnical && 100*technical > technicalShare*words
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
