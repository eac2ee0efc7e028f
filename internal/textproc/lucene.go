package textproc

import (
	"strconv"
	"strings"
)

// maxBoost keeps a weight within what Lucene reads as a number.
const maxBoost = 1e6

// Lucene is the query for a full-text index with a whitespace analyser, as in
// "dinner hailey^1.25 20260410^4": any of the terms, with their weights. It is
// empty when no term is left, and then there is nothing to search.
func (q Query) Lucene() string {
	var b strings.Builder
	for _, t := range q.Terms {
		weight := min(t.Weight, maxBoost)
		if t.Term == "" || !(weight > 0) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Escape(t.Term))
		if weight != 1 {
			b.WriteByte('^')
			b.WriteString(strconv.FormatFloat(weight, 'f', -1, 64))
		}
	}
	return b.String()
}

// LucenePairs is the query for a full-text index over pairs of terms, or empty.
func (q Query) LucenePairs() string {
	pairs := make([]string, len(q.Pairs))
	for i, p := range q.Pairs {
		pairs[i] = Escape(p)
	}
	return strings.Join(pairs, " ")
}

// Escape writes a term so that Lucene's classic parser reads it as that term,
// whatever it holds.
func Escape(term string) string {
	switch term {
	case "AND", "OR", "NOT", "TO":
		return `\` + term
	}
	if !strings.ContainsAny(term, luceneSpecial) {
		return term
	}
	var b strings.Builder
	for _, r := range term {
		if strings.ContainsRune(luceneSpecial, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// luceneSpecial is what means something to the parser: operators, and the space
// that separates terms.
const luceneSpecial = `+-&|!(){}[]^"~*?:\/` + " \t\n\r\u3000"
