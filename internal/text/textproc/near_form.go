package textproc

import (
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// minPart is the least number of letters of a part of a compound, and of what it has besides.
const minPart = 4

// nearStart returns the least number of letters that forms of one word begin with, and the least share of the
// longer one.
func nearStart(l language.Language) (letters int, share float64) {
	switch l {
	case language.Danish, language.Norwegian: // bygd and bygg are of one verb
		return 3, .5
	case language.Korean: // endings are long
		return 2, .4
	case language.Hindi:
		return 3, .6
	}
	return 4, .75
}

// AddNearForms adds to the terms of a text the terms of a question of which it has another form: "gebaut" for
// "baute", "Leuchtturmwärter" for "Wärter". Stems do not join these. In English, whose verbs have base forms,
// it adds none; nor in languages that do not separate words.
func (s TermSet) AddNearForms(l language.Language, question []WeightedTerm) {
	if l == language.English || l == language.Unknown || !l.SeparatesWords() {
		return
	}
	for _, q := range question {
		if _, has := s[q.Term]; has {
			continue
		}
		for term := range s {
			if isNearForm(l, q.Term, term) {
				s.Add(q.Term)
				break
			}
		}
	}
}

// isNearForm reports whether a term of a text is probably a form of the word of a question, or a compound of it.
func isNearForm(l language.Language, asked, term string) bool {
	short, long := asked, term
	if len(short) > len(long) {
		short, long = long, short
	}
	shared := sameLetters(short, long)
	if letters, share := nearStart(l); shared >= letters && float64(shared) >= share*float64(utf8.RuneCountInString(long)) {
		return true
	}
	switch l {
	case language.German, language.Dutch:
		if rest, is := strings.CutPrefix(long, "ge"); is && len(short) >= 4 && strings.HasPrefix(rest, short[:len(short)-1]) && len(rest)-len(short) <= 2 {
			return true
		}
		fallthrough
	case language.Swedish, language.Danish, language.Norwegian:
		return utf8.RuneCountInString(asked) >= minPart && len(term)-len(asked) >= minPart && (strings.HasSuffix(term, asked) || strings.HasPrefix(term, asked))
	}
	return false
}

// sameLetters returns the number of letters that two texts begin with.
func sameLetters(a, b string) int {
	n := 0
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			break
		}
		n++
	}
	return n
}
