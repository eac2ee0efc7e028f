package textproc

import (
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/language"
)

const (
	damping    = .85 // probability of a step, as opposed to a jump to any sentence
	iterations = 30
)

// Centrality returns how central each sentence is: its PageRank in the graph of
// sentences that share terms, where rare terms weigh more. Scores sum to one. There is
// one for each sentence, in order; nil for no sentences. The cost grows with the number
// of terms, not with the number of pairs of sentences.
func Centrality(sentences []string) []float64 {
	if len(sentences) == 0 {
		return nil
	}
	g := newSentenceGraph(language.Of(strings.Join(sentences, "\n")), sentences)
	n := float64(len(sentences))
	score := make([]float64, len(sentences))
	for i := range score {
		score[i] = 1 / n
	}
	for range iterations {
		next, lost := g.step(score)
		total := 0.
		for i := range next {
			next[i] = (1-damping)/n + float64(damping*(next[i]+lost/n))
			total += next[i]
		}
		for i := range next {
			next[i] /= total
		}
		score = next
	}
	return score
}

// A sentenceGraph links sentences and terms. A step of the walk leads from a sentence
// over a term to a sentence that has the term.
type sentenceGraph struct {
	links [][]termLink // per sentence
	leave []float64    // per sentence: probability that a step leads to another
	terms int          // number of terms
}

type termLink struct {
	term               int
	toTerm, toSentence float64 // probability of the term from the sentence, and of the sentence from the term
}

func newSentenceGraph(l language.Language, sentences []string) *sentenceGraph {
	g := &sentenceGraph{links: make([][]termLink, len(sentences)), leave: make([]float64, len(sentences))}
	ids := map[string]int{}
	var df []int
	for i, s := range sentences {
		counts := map[int]int{}
		scanTerms(l, s, func(term string, _, _ int) {
			id, ok := ids[term]
			if !ok {
				id = len(df)
				ids[term], df = id, append(df, 0)
			}
			if counts[id]++; counts[id] == 1 {
				df[id]++
			}
		})
		for id, n := range counts {
			g.links[i] = append(g.links[i], termLink{term: id, toTerm: 1 + math.Log(float64(n))})
		}
		slices.SortFunc(g.links[i], func(a, b termLink) int { return a.term - b.term })
	}
	g.terms = len(df)
	g.setProbabilities(df)
	return g
}

// setProbabilities turns counts of terms into probabilities. df is the number of
// sentences with each term: rare terms weigh more. Weights are divided by the length of
// the sentence, so that long sentences are not central for their length alone.
func (g *sentenceGraph) setProbabilities(df []int) {
	n := float64(len(g.links))
	of := make([]float64, g.terms)
	for _, links := range g.links {
		norm, sum := 0., 0.
		for k := range links {
			l := &links[k]
			l.toTerm = float64(l.toTerm * math.Log(1+n/float64(df[l.term])))
			norm += float64(l.toTerm * l.toTerm)
			sum += l.toTerm
		}
		for k := range links {
			l := &links[k]
			l.toSentence = l.toTerm / math.Sqrt(norm)
			l.toTerm /= sum
			of[l.term] += l.toSentence
		}
	}
	for i, links := range g.links {
		stay := 0.
		for k := range links {
			l := &links[k]
			l.toSentence /= of[l.term]
			stay += float64(l.toTerm * l.toSentence)
		}
		g.leave[i] = 1 - stay
	}
}

// step returns the scores after one step, which never stays on a sentence. lost is the
// score of the sentences that share no term with another.
func (g *sentenceGraph) step(score []float64) (next []float64, lost float64) {
	next = make([]float64, len(score))
	terms := make([]float64, g.terms)
	for i, links := range g.links {
		if g.leave[i] < 1e-9 {
			lost += score[i]
			continue
		}
		share := score[i] / g.leave[i]
		for _, l := range links {
			toTerm := float64(share * l.toTerm)
			terms[l.term] += toTerm
			next[i] -= float64(toTerm * l.toSentence)
		}
	}
	for i, links := range g.links {
		for _, l := range links {
			next[i] += float64(terms[l.term] * l.toSentence)
		}
		next[i] = max(next[i], 0)
	}
	return next, lost
}
