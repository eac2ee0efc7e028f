package report

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/textproc"
)

// weakest is how badly a sentence may stand alone while there are better ones.
const weakest = .4

// score weighs the sentences: how central they are, how prominent what they
// tell of is, and how well they stand alone.
func (w *writer) score() {
	strong := slices.DeleteFunc(slices.Clone(w.sentences), func(s *sentence) bool { return alone(s.text) < weakest })
	if len(strong) > 0 {
		w.sentences = strong
	}
	// Centrality adds floats up in the order given: a canonical one.
	slices.SortFunc(w.sentences, func(a, b *sentence) int { return strings.Compare(a.text, b.text) })
	texts := make([]string, len(w.sentences))
	for i, s := range w.sentences {
		texts[i] = s.text
	}
	central := textproc.Central(texts)
	top := 0.
	for _, c := range central {
		top = max(top, c)
	}
	for i, s := range w.sentences {
		centrality := 0.
		if top > 0 {
			centrality = central[i] / top
		}
		s.score = alone(s.text) * (.4*centrality + .3*w.prominence(s) + .3*w.defines(s))
	}
	slices.SortStableFunc(w.sentences, func(a, b *sentence) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
}

// prominence is the mean over the entities that a sentence tells of, or that of
// the child whose report it is from, where that is more.
func (w *writer) prominence(s *sentence) float64 {
	sum := 0.
	for _, a := range s.about {
		if at, ok := w.rank[a]; ok {
			sum += 1 / (1 + float64(at)/3)
		}
	}
	sum /= float64(max(1, len(s.about)))
	if s.from.child != nil {
		return max(sum, 1/(1+float64(s.from.N-1)/3))
	}
	return sum
}

// defines is 1 where a description begins with the name of what it tells of,
// less where another sentence does, or holds the name later on.
func (w *writer) defines(s *sentence) float64 {
	lower := strings.ToLower(s.text)
	best := 0.
	for _, a := range s.about {
		name := strings.ToLower(w.names[a])
		if name == "" {
			continue
		}
		switch at := strings.Index(lower, name); {
		case at >= 0 && at <= 4:
			best = max(best, .7)
			if s.lead {
				best = 1
			}
		case at > 0:
			best = max(best, .4)
		}
	}
	return best
}

// leaning are first words that point at a sentence before.
var leaning = map[string]bool{
	"he": true, "she": true, "it": true, "they": true, "this": true, "these": true, "that": true, "those": true, "his": true, "her": true, "its": true, "their": true,
	"there": true, "then": true, "but": true, "and": true, "so": true, "or": true, "yet": true, "however": true, "which": true, "who": true, "such": true, "also": true,
	"we": true, "you": true, "i": true, "additionally": true, "furthermore": true, "moreover": true, "overall": true, "despite": true, "later": true, "here": true,
}

// number reports whether a word is a number in digits.
func number(word string) bool {
	word = strings.TrimRight(word, ".")
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// alone is how well a sentence stands by itself, from 0 to 1.
func alone(text string) float64 {
	words := strings.Fields(text)
	q := 1.
	switch n := len(words); {
	case n < 4:
		q = .3
	case n < 6:
		q = .7
	case n > 60:
		q = .3
	case n > 45:
		q = .6
	case n > 32:
		q = .8
	}
	first := strings.ToLower(strings.TrimFunc(words[0], func(r rune) bool { return !unicode.IsLetter(r) }))
	switch {
	case first == "this" || first == "these" || first == "that" || first == "those":
		q *= .3
	case leaning[first]:
		q *= .5
	}
	if number(words[0]) || number(words[len(words)-1]) && len(words[len(words)-1]) < 4 {
		q *= .3 // most likely cut at the dot of "1.5"
	}
	if strings.HasPrefix(text, "The entity ") || strings.HasPrefix(text, "The text ") {
		q *= .7
	}
	if strings.HasSuffix(text, "?") {
		q *= .5
	}
	if strings.ContainsAny(text[:1], `"'(`) || strings.HasPrefix(text, "“") {
		q *= .7
	}
	return q
}
