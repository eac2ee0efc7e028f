package textproc

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/neorag/neorag/internal/text/language"
)

// Which words of a question may be misspelt.
const (
	minMisspelt = 4 // letters
	twoEdits    = 8 // letters of a term from which two edits are allowed
)

// A Suspect is a word of a question that may be misspelt.
type Suspect struct {
	Word, Term string
	// Variants are the terms of the word without a letter, with a letter twice, or with two letters in the
	// other order.
	Variants []string
}

// Suspects returns the words of a question that may be misspelt: no numbers, short words or words of a list.
func Suspects(question string) []Suspect {
	l := questionLanguage(question, language.Unknown)
	if !l.SeparatesWords() {
		return nil
	}
	var out []Suspect
	for field := range strings.FieldsSeq(question) {
		word := strings.TrimFunc(field, func(r rune) bool { return !isWordRune(r) })
		letters := []rune(strings.ToLower(word))
		terms := TermsIn(l, word)
		if len(letters) < minMisspelt || len(terms) != 1 || strings.ContainsAny(word, "0123456789") || l == language.English && ClassOf(string(letters)) != 0 || instructionTerms()[terms[0]] || askingTerms()[terms[0]] {
			continue
		}
		s := Suspect{Word: word, Term: terms[0]}
		for i := range letters {
			without := slices.Delete(slices.Clone(letters), i, i+1)
			twice := slices.Insert(slices.Clone(letters), i, letters[i])
			s.Variants = append(s.Variants, TermsIn(l, string(without))...)
			s.Variants = append(s.Variants, TermsIn(l, string(twice))...)
			if i > 0 {
				swapped := slices.Clone(letters)
				swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
				s.Variants = append(s.Variants, TermsIn(l, string(swapped))...)
			}
		}
		slices.Sort(s.Variants)
		s.Variants = slices.Compact(s.Variants)
		out = append(out, s)
	}
	return out
}

// IsLike reports whether the word may be a misspelling of another one: it differs by one letter, or the order
// of two, or if it is long by two letters.
func (s Suspect) IsLike(other string) bool {
	a, b := strings.ToLower(s.Word), strings.ToLower(other)
	edits := levenshtein.ComputeDistance(a, b)
	return edits <= 1 || edits == 2 && (len([]rune(a)) >= twoEdits || sorted(a) == sorted(b))
}

// sorted returns the letters of a word in their order.
func sorted(word string) string {
	letters := []rune(word)
	slices.Sort(letters)
	return string(letters)
}

// Lucene returns the query for terms that are spelled like the word.
func (s Suspect) Lucene() string {
	return strings.Join(append(escapeAll(s.Variants), Escape(strings.ToLower(s.Word))+"~1", Escape(s.Term)+"~1", Escape(s.Term)+"~2"), " ")
}

// Matches reports whether a term may be the one that was meant, and by how many edits it differs.
func (s Suspect) Matches(term string) (edits int, ok bool) {
	if term == "" || term[0] != s.Term[0] {
		return 0, false
	}
	if slices.Contains(s.Variants, term) {
		return 1, true
	}
	edits = min(levenshtein.ComputeDistance(s.Term, term), levenshtein.ComputeDistance(strings.ToLower(s.Word), term))
	return edits, edits == 1 || edits == 2 && len([]rune(s.Term)) >= twoEdits
}

// WordOf returns the first word of a text that has a term, with a capital only if a word of a question has
// one or the text has several; "" for none.
func WordOf(asked, text, term string) string {
	found := ""
	scanTerms(language.Of(text), text, func(t string, start, end int) {
		if found == "" && t == term {
			found = text[start:end]
		}
	})
	_, first := utf8.DecodeRuneInString(found)
	if asked == strings.ToLower(asked) && found[first:] == strings.ToLower(found[first:]) {
		return strings.ToLower(found)
	}
	return found
}
