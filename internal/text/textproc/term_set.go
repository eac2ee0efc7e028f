package textproc

import "github.com/neorag/neorag/internal/text/language"

// A TermSet is the distinct terms of a text.
type TermSet map[string]struct{}

// TermSetOf returns the distinct terms of a text, as Terms reads it.
func TermSetOf(text string) TermSet { return TermSetIn(language.Of(text), text) }

// TermSetIn returns the distinct terms of a text in a language.
func TermSetIn(l language.Language, text string) TermSet {
	set := TermSet{}
	set.Add(TermsIn(l, text)...)
	return set
}

// Add adds terms.
func (s TermSet) Add(terms ...string) {
	for _, t := range terms {
		s[t] = struct{}{}
	}
}

// Shared counts the terms that are in both sets.
func (s TermSet) Shared(o TermSet) int {
	if len(o) < len(s) {
		s, o = o, s
	}
	n := 0
	for t := range s {
		if _, ok := o[t]; ok {
			n++
		}
	}
	return n
}
