package textproc

// A TermSet is the distinct terms of a text.
type TermSet map[string]struct{}

// TermSetOf returns the distinct terms of a text.
func TermSetOf(text string) TermSet {
	set := TermSet{}
	set.Add(Terms(text)...)
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
