package textproc

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DateWeight is the weight of an exact date in a question. It ranks documents of that
// day above documents that share words with the question.
const DateWeight = 4

// maxQuestionTerms bounds the different terms of a question, because Lucene refuses a
// query of more than 1024 clauses.
const maxQuestionTerms = 256

// WeightedTerm is a term of a question with its weight, usually 1.
type WeightedTerm struct {
	Term   string
	Weight float64
}

// A Query is a question prepared for search.
type Query struct {
	Terms []WeightedTerm // without duplicates, sorted by term
	Pairs []string       // without duplicates, sorted, in the form of Pairs
	Names []string       // proper names as written, in order of appearance
}

// ReadQuestion returns the terms, pairs and names of a question. Words that only say
// how to answer (describe, summarize) are left out. Exact dates (20260410, 2026-04-10,
// 2026/4/10) also give the term of that day.
func ReadQuestion(q string) Query {
	weights := map[string]float64{}
	var sequence []string
	for _, term := range Terms(q) {
		if instructionTerms()[term] || weights[term] == 0 && len(weights) >= maxQuestionTerms {
			continue
		}
		weights[term] = 1
		sequence = append(sequence, term)
	}
	for _, d := range datesIn(q) {
		if len(weights) < 2*maxQuestionTerms {
			weights[d] = DateWeight
		}
	}
	query := Query{Names: namesIn(q), Pairs: Pairs(sequence)}
	slices.Sort(query.Pairs)
	query.Pairs = slices.Compact(query.Pairs)
	for term, weight := range weights {
		query.Terms = append(query.Terms, WeightedTerm{term, weight})
	}
	slices.SortFunc(query.Terms, func(a, b WeightedTerm) int { return cmp.Compare(a.Term, b.Term) })
	return query
}

// namesIn returns runs of capitalised words, and words such as JaneDoe. A word that
// starts a sentence is part of a name only if the run continues after it.
func namesIn(q string) []string {
	var names, run []string
	first := false // the run starts a sentence
	end := func() {
		if len(run) > 1 || len(run) == 1 && (!first || isCamelCase(run[0])) {
			if name := strings.Join(run, " "); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		run = nil
	}
	opening := true
	for field := range strings.FieldsSeq(q) {
		word := strings.TrimFunc(field, func(r rune) bool { return !isWordRune(r) })
		bare := strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(bare)
		capital := unicode.IsUpper(r) || isCamelCase(bare)
		if capital && len(run) == 0 && opening && !isCamelCase(bare) && isQuestionOpener(bare) {
			capital = false
		}
		if !capital || !strings.HasPrefix(field, word) {
			end()
		}
		if capital {
			if len(run) == 0 {
				first = opening
			}
			run = append(run, bare)
			if !strings.HasSuffix(field, bare) {
				end()
			}
		}
		opening = strings.HasSuffix(field, ".") || strings.HasSuffix(field, "?") || strings.HasSuffix(field, "!")
	}
	end()
	return names
}

// isQuestionOpener reports whether a word has a capital only because it starts the
// question: Did, Who, Describe.
func isQuestionOpener(word string) bool {
	for _, term := range Terms(word) {
		if !instructionTerms()[term] {
			return false
		}
	}
	return true
}

// isCamelCase reports whether a capital follows a lower-case letter.
func isCamelCase(word string) bool {
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
