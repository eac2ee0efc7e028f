package textproc

import (
	"strconv"
	"strings"
)

// maxBoost is the largest weight that is passed to Lucene.
const maxBoost = 1e6

// Lucene returns the query for any of the terms, also terms of other languages, in a full-text index with a whitespace
// analyzer, such as "dinner hailey^1.25 20260410^4". It is empty if there are no terms.
func (q Query) Lucene() string {
	var clauses []string
	for _, t := range q.Terms {
		weight := min(t.Weight, maxBoost)
		if t.Term == "" || !(weight > 0) {
			continue
		}
		clause := Escape(t.Term)
		if weight != 1 {
			clause += "^" + strconv.FormatFloat(weight, 'f', -1, 64)
		}
		clauses = append(clauses, clause)
	}
	return strings.Join(append(clauses, escapeAll(q.Others)...), " ")
}

// LuceneTermPairs returns the query for any of the pairs in a full-text index of pairs, or
// "".
func (q Query) LuceneTermPairs() string {
	return strings.Join(escapeAll(q.Pairs), " ")
}

func escapeAll(terms []string) []string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = Escape(t)
	}
	return out
}

// Escape escapes a term, so that Lucene's classic query parser reads exactly that term.
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

// luceneSpecial is the characters with a meaning to the parser: operators, and white
// space, which separates terms.
const luceneSpecial = `+-&|!(){}[]^"~*?:\/` + " \t\n\r\u3000"
