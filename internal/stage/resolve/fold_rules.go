package resolve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// ownMeanings are plurals that name something else than several of their singular.
const ownMeanings = " means goods works arms customs glasses "

// Class returns a text that is the same for all names that Fold may join for their spelling.
// Names of one class may still differ.
func Class(name string) string {
	long, _ := bracketed(name)
	words := strings.Fields(withSpaces(long))
	if len(words) == 0 {
		return name
	}
	last := &words[len(words)-1]
	if s := textproc.Singulars(*last); len(s) == 1 {
		*last = s[0]
	}
	for _, end := range []string{"ies", "ie", "es", "is", "s", "e", "y"} {
		stem, ok := strings.CutSuffix(*last, end)
		if vowel := ok && end == "y" && stem != "" && strings.ContainsRune("aeou", rune(stem[len(stem)-1])); ok && !vowel && len(stem) > 1 {
			*last = stem
			break
		}
	}
	return strings.Join(words, "")
}

// isHyphen reports whether a rune joins words.
func isHyphen(r rune) bool { return unicode.Is(unicode.Pd, r) }

// withSpaces replaces the hyphens of a name, except between digits.
func withSpaces(name string) string { return replaceHyphens(name, " ") }

func replaceHyphens(name, by string) string {
	if !strings.ContainsFunc(name, isHyphen) {
		return name
	}
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case !isHyphen(r), i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]):
			b.WriteRune(r)
		default:
			b.WriteString(by)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// equalWords reports whether two names differ only in hyphens: one has them where the other has
// a space or nothing.
func equalWords(a, b string) bool {
	if withSpaces(a) == withSpaces(b) {
		return true
	}
	return replaceHyphens(a, "") == b || replaceHyphens(b, "") == a
}

// isPluralOf reports whether a name differs from another only in that its last word is the
// English plural. Both are normalised.
func isPluralOf(plural, singular string) bool {
	p, s := strings.Fields(withSpaces(plural)), strings.Fields(withSpaces(singular))
	n := len(p) - 1
	return n >= 0 && len(p) == len(s) && slices.Equal(p[:n], s[:n]) &&
		!strings.Contains(ownMeanings, " "+p[n]+" ") && slices.Contains(textproc.Singulars(p[n]), s[n])
}

// joinsNumber reports whether a plural names the same as its singular: both are common nouns,
// written in lower case, or abbreviations with a plural s. Names of persons, places and
// organizations are neither: Mars and Mar, James and Jame, the Rolling Stones and Rolling Stone.
func joinsNumber(plural, singular *Name) bool {
	if !plural.English || !singular.English || !isPluralOf(plural.Name, singular.Name) {
		return false
	}
	if plural.hasSpelling(isPluralAbbreviation) && singular.hasSpelling(isAbbreviation) {
		return true
	}
	if last := lastWord(singular.Name); textproc.ClassOf(last)&textproc.GivenName != 0 && !singular.hasSpelling(endsInLower) {
		return false
	}
	switch lower := plural.hasSpelling(endsInLower); {
	case lower && singular.hasSpelling(endsInLower):
		return true
	case strings.Contains(plural.Name, " ") && (lower || singular.hasSpelling(endsInLower)),
		strings.Contains(plural.Name, " ") && plural.isConcept() && singular.isConcept():
		return !plural.isProper() && !singular.isProper()
	}
	return false
}

func lastWord(s string) string {
	words := strings.Fields(withSpaces(s))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// endsInLower reports whether the last word of a spelling is in lower case.
func endsInLower(s string) bool {
	w := lastWord(s)
	return w != "" && strings.ToLower(w) == w && unicode.IsLetter([]rune(w)[0])
}

// isAbbreviation reports whether the last word of a spelling has two letters, all of them capitals.
func isAbbreviation(s string) bool {
	w := lastWord(s)
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, w)
	return len([]rune(letters)) > 1 && strings.ToUpper(w) == w
}

func isPluralAbbreviation(s string) bool {
	stem, ok := strings.CutSuffix(s, "s")
	return ok && isAbbreviation(stem)
}

// properTypes are types whose names are proper nouns.
var properTypes = []string{"person", "location", "organization", "organisation", "place", "city", "country", "company", "work"}

func (n *Name) isProper() bool { return slices.Contains(properTypes, mostFrequent(n.Types)) }

func (n *Name) isConcept() bool {
	t := mostFrequent(n.Types)
	return t != "" && t != graph.TypeUnknown && !n.isProper()
}

func (n *Name) hasSpelling(is func(string) bool) bool {
	for s := range n.Spellings {
		if is(s) {
			return true
		}
	}
	return false
}
