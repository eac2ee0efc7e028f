package resolve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// repeatedShare is the share of the terms of a sentence that another one has in the same order if the
// sentence repeats it. Its other terms have to be in the name or in further sentences.
const repeatedShare = .8

// withoutRepeated joins descriptions of something without the sentences that repeat one of the others.
// Records of several chunks often state the same, one with a detail more than another.
func withoutRepeated(name string, fragments []string) string {
	var sentences []string
	for _, f := range fragments {
		for _, at := range textproc.Sentences(f) {
			if s := strings.TrimSpace(f[at.Start:at.End]); s != "" {
				sentences = append(sentences, s)
			}
		}
	}
	if len(sentences) < 2 { // most entities and relationships are mentioned once
		return strings.Join(sentences, "")
	}
	terms := make([][]string, len(sentences))
	for i, s := range sentences {
		terms[i] = textproc.Terms(s)
	}
	gone := make([]bool, len(sentences))
	for _, i := range shortestFirst(terms) {
		known := textproc.TermSetOf(name)
		repeats := false
		for k, other := range terms {
			if k == i || gone[k] {
				continue
			}
			known.Add(other...)
			repeats = repeats || repeatsSentence(terms[i], other) && slices.Equal(exactWords(sentences[i]), exactWords(sentences[k]))
		}
		gone[i] = repeats && !slices.ContainsFunc(terms[i], func(t string) bool { _, ok := known[t]; return !ok })
	}
	kept := sentences[:0]
	for i, s := range sentences {
		if !gone[i] {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// shortestFirst returns the places of sentences by their number of terms, of equal ones the last first:
// of two that repeat each other, the longer or the earlier one stays.
func shortestFirst(terms [][]string) []int {
	order := make([]int, len(terms))
	for i := range order {
		order[i] = len(terms) - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(terms[a]) - len(terms[b]) })
	return order
}

// exactWords returns the negations and numbers of a sentence, sorted: sentences that differ in one say
// different things.
func exactWords(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if strings.ContainsAny(w, "0123456789") || textproc.ClassOf(w)&(textproc.Negation|textproc.NumberWord) != 0 {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// repeatsSentence reports whether another sentence has most terms of a sentence in their order. One
// without terms repeats nothing.
func repeatsSentence(terms, other []string) bool {
	return len(terms) > 0 && float64(text.CommonLength(terms, other)) >= repeatedShare*float64(len(terms))
}
