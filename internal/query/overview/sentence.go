package overview

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
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
	var rated []ratedSentence
	for _, at := range textproc.Sentences(description) {
		s := text.OneLine(description[at.Start:at.End])
		if !slices.ContainsFunc(rated, func(o ratedSentence) bool { return o.text == s }) {
			rated = append(rated, rateSentence(s, names))
		}
	}
	slices.SortStableFunc(rated, func(a, b ratedSentence) int { return cmp.Compare(b.tells, a.tells) })
	var out []string
	for _, s := range rated {
		if s.names >= rated[0].names && len(out) < limit {
			out = append(out, s.text)
		}
	}
	return out
}

// A ratedSentence is a sentence with how many of some names it has, and how much it tells about them.
type ratedSentence struct {
	text  string
	names int
	tells float64
}

// rateSentence rates how much a sentence tells about names: it has them, in any case, begins where a
// sentence does, states something instead of asking, and is neither an exclamation nor too long to be
// read in a list.
func rateSentence(sentence string, names []string) ratedSentence {
	s := ratedSentence{text: sentence}
	lower := strings.ToLower(sentence)
	for _, name := range names {
		switch forms := formsOf(strings.ToLower(name)); slices.IndexFunc(forms, func(form string) bool { return strings.Contains(lower, form) }) {
		case -1:
			continue
		case givenName:
			s.tells += 1.5
		default:
			s.tells += 2
		}
		s.names++
	}
	if n := len(strings.Fields(sentence)); n >= minTelling && n <= maxTelling {
		s.tells += 1.5
	}
	if !strings.Contains(sentence, "?") {
		s.tells += .5
	}
	if first, _ := utf8.DecodeRuneInString(sentence); unicode.IsLower(first) {
		s.tells--
	}
	return s
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
