package textproc

import "math"

// pairShare is what a question's pairs of terms add to its terms.
const pairShare = .2

// Relevance is how much of a question a sentence holds, from 0 to 1: the weight of
// the question's terms that occur in it, with a little for its pairs of terms and
// a little less the longer it is.
func Relevance(query Query, sentence string) float64 {
	f := Focus{terms: make(map[string]float64, len(query.Terms)), pairs: map[string]float64{}}
	f.weigh(query, func(string) float64 { return 1 })
	return f.Score(sentence)
}

// A Focus scores sentences for a question by terms that are rare among the
// sentences it was made from: what all of them say tells nothing.
type Focus struct {
	terms, pairs map[string]float64
	total        float64
}

// NewFocus weighs a question's terms by their rarity among the sentences given.
func NewFocus(q Query, sentences []string) *Focus {
	f := &Focus{terms: make(map[string]float64, len(q.Terms)), pairs: make(map[string]float64, len(q.Pairs))}
	df := map[string]int{}
	for _, t := range q.Terms {
		df[t.Term] = 0
	}
	for _, s := range sentences {
		seen := map[string]bool{}
		scanTerms(s, func(term string, _, _ int) {
			if n, ok := df[term]; ok && !seen[term] {
				df[term], seen[term] = n+1, true
			}
		})
	}
	n := float64(len(sentences))
	f.weigh(q, func(term string) float64 {
		d := float64(df[term])
		return math.Log(1 + (n-d+.5)/(d+.5))
	})
	return f
}

// weigh fixes the share of each term and pair. Terms that occur in no sentence
// count like any other: a sentence cannot hold more of the question than it says.
func (f *Focus) weigh(q Query, rarity func(term string) float64) {
	for _, t := range q.Terms {
		w := t.Weight * rarity(t.Term)
		if w > 0 {
			f.terms[t.Term] = w
			f.total += w
		}
	}
	for _, p := range q.Pairs {
		f.pairs[p] = pairShare / float64(len(q.Pairs))
	}
}

// Score is how much of the question a sentence holds, from 0 to 1.
func (f *Focus) Score(sentence string) float64 {
	if f.total == 0 {
		return 0
	}
	terms := Terms(sentence)
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
	for _, p := range Pairs(terms) {
		if !seen[p] {
			seen[p] = true
			score += f.pairs[p]
		}
	}
	// Twenty terms are a long sentence; beyond that length lowers the score slowly.
	return min(1, score/(1+pairShare)) / (1 + .15*math.Log(1+float64(len(terms))/20))
}
