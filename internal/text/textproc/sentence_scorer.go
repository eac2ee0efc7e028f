package textproc

import (
	"math"

	"github.com/neorag/neorag/internal/text/language"
)

// pairBonus is the weight of all pairs of a question, relative to all terms.
const pairBonus = .2

// A SentenceScorer scores sentences for a question, in its language. Terms that are rare among
// the sentences it was made for weigh more, as in BM25.
type SentenceScorer struct {
	terms, pairs map[string]float64 // weights
	total        float64            // of the terms
	language     language.Language  // of the question
}

// NewSentenceScorer weights the terms of a question by their rarity among sentences.
func NewSentenceScorer(q Query, sentences []string) *SentenceScorer {
	f := &SentenceScorer{language: q.Language, terms: make(map[string]float64, len(q.Terms)), pairs: make(map[string]float64, len(q.Pairs))}
	df := map[string]int{}
	for _, t := range q.Terms {
		df[t.Term] = 0
	}
	for _, s := range sentences {
		seen := map[string]bool{}
		scanTerms(q.Language, s, func(term string, _, _ int) {
			if n, ok := df[term]; ok && !seen[term] {
				df[term], seen[term] = n+1, true
			}
		})
	}
	n := float64(len(sentences))
	f.setWeights(q, func(term string) float64 {
		d := float64(df[term])
		return math.Log(1 + (n-d+.5)/(d+.5))
	})
	return f
}

// setWeights sets the weights of terms and pairs. Terms that no sentence has count
// too, so that a sentence with all the others does not score 1.
func (f *SentenceScorer) setWeights(q Query, rarity func(term string) float64) {
	for _, t := range q.Terms {
		w := float64(t.Weight * rarity(t.Term))
		if w > 0 {
			f.terms[t.Term] = w
			f.total += w
		}
	}
	for _, p := range q.Pairs {
		f.pairs[p] = pairBonus / float64(len(q.Pairs))
	}
}

// Score returns how much of the question a sentence contains, from 0 to 1: the weight
// of the terms that it has, with a bonus for pairs, reduced for long sentences.
func (f *SentenceScorer) Score(sentence string) float64 {
	if f.total == 0 {
		return 0
	}
	terms := TermsIn(f.language, sentence)
	sum := 0.
	seen := make(map[string]bool, len(terms))
	for _, t := range terms {
		if w := f.terms[t]; w > 0 && !seen[t] {
			seen[t] = true
			sum += w
		}
	}
	if sum == 0 {
		return 0
	}
	score := sum / f.total
	for _, p := range TermPairs(terms) {
		if !seen[p] {
			seen[p] = true
			score += f.pairs[p]
		}
	}
	// Length lowers the score slowly: by a tenth at twenty terms.
	return min(1, score/(1+pairBonus)) / (1 + float64(.15*math.Log(1+float64(len(terms))/20)))
}
