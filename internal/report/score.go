package report

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/lang"
)

// score weighs the sentences: how central they are, how prominent what they
// tell of is, and how well they stand alone.
func (w *writer) score() {
	// Centrality adds floats up in the order given: a canonical one.
	slices.SortFunc(w.sentences, func(a, b *sentence) int { return strings.Compare(a.text, b.text) })
	texts := make([]string, len(w.sentences))
	for i, s := range w.sentences {
		texts[i] = s.text
	}
	central := lang.Central(texts)
	top := 0.
	for _, c := range central {
		top = max(top, c)
	}
	for i, s := range w.sentences {
		prominence := 0.
		for _, a := range s.about {
			if at, ok := w.rank[a]; ok {
				prominence = max(prominence, 1/(1+float64(at)/3))
			}
		}
		if s.from.child != nil {
			prominence = .6
		}
		centrality := 0.
		if top > 0 {
			centrality = central[i] / top
		}
		s.score = alone(s.text) * (.5*centrality + .35*prominence + .15*w.defines(s))
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

// defines is 1 where a sentence begins with the name of what it tells of, half
// where it holds the name anywhere.
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
			best = 1
		case at > 0:
			best = max(best, .5)
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
		q = .35
	case n > 40:
		q = .7
	}
	first := strings.ToLower(strings.TrimFunc(words[0], func(r rune) bool { return !unicode.IsLetter(r) }))
	if leaning[first] {
		q *= .5
	}
	if strings.HasSuffix(text, "?") {
		q *= .5
	}
	if strings.ContainsAny(text[:1], `"'(`) || strings.HasPrefix(text, "“") {
		q *= .7
	}
	return q
}
