package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/textproc"
)

// A telling sentence has at least minTelling and at most maxTelling words.
const (
	minTelling = 5
	maxTelling = 40
)

// tellingSentence returns the sentence of a description that tells most about names, "" if it has none.
func tellingSentence(description string, names ...string) string {
	best := tellingSentences(description, 1, names...)
	if len(best) == 0 {
		return ""
	}
	return best[0]
}

// tellingSentences returns at most limit sentences of a description, those that tell most about names
// first, and none that has fewer of the names than the first.
func tellingSentences(description string, limit int, names ...string) []string {
	var out []string
	for _, at := range textproc.Sentences(description) {
		if s := text.OneLine(description[at.Start:at.End]); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(tells(b, names), tells(a, names)) })
	if len(out) > 0 {
		most := countNames(out[0], names)
		out = slices.DeleteFunc(out, func(s string) bool { return countNames(s, names) < most })
	}
	return out[:min(limit, len(out))]
}

// tells rates how much a sentence tells about names: it has them, begins where a sentence does, states
// something instead of asking, and is neither an exclamation nor too long to be read in a list.
func tells(sentence string, names []string) float64 {
	score := 0.
	lower := strings.ToLower(sentence)
	for _, name := range names {
		switch forms := formsOf(strings.ToLower(name)); slices.IndexFunc(forms, func(form string) bool { return strings.Contains(lower, form) }) {
		case -1:
		case givenName:
			score += 1.5
		default:
			score += 2
		}
	}
	if n := len(strings.Fields(sentence)); n >= minTelling && n <= maxTelling {
		score += 1.5
	}
	if !strings.Contains(sentence, "?") {
		score += .5
	}
	if first, _ := utf8.DecodeRuneInString(sentence); unicode.IsLower(first) {
		score--
	}
	return score
}

// countNames counts the names that a sentence has, in any case.
func countNames(sentence string, names []string) int {
	lower, n := strings.ToLower(sentence), 0
	for _, name := range names {
		if slices.ContainsFunc(formsOf(strings.ToLower(name)), func(form string) bool { return strings.Contains(lower, form) }) {
			n++
		}
	}
	return n
}

// givenName is the place of the given name among the forms of a name.
const givenName = 2

// formsOf returns how sentences may write a name in lower case: as it is, as the speaker of a message
// (JaneDoe), or by the given name that it begins with.
func formsOf(name string) []string {
	forms := []string{name, strings.ReplaceAll(name, " ", "")}
	if first, _, more := strings.Cut(name, " "); more && textproc.ClassOf(first)&textproc.GivenName != 0 {
		forms = append(forms, first)
	}
	return forms
}
