package textproc

import (
	"math"
	"slices"
)

const (
	centralDamping = .85
	centralRounds  = 30
)

// Central says how central each sentence is among those given: the share of time
// that a walker spends on it who goes from sentence to sentence over the terms
// they share, rare terms more often, and now and then jumps anywhere. Scores sum
// to one. Cost grows with the number of terms, not with pairs of sentences.
func Central(sentences []string) []float64 {
	if len(sentences) == 0 {
		return nil
	}
	g := newTermWalk(sentences)
	n := float64(len(sentences))
	score := make([]float64, len(sentences))
	for i := range score {
		score[i] = 1 / n
	}
	for range centralRounds {
		next, lost := g.step(score)
		total := 0.
		for i := range next {
			next[i] = (1-centralDamping)/n + centralDamping*(next[i]+lost/n)
			total += next[i]
		}
		for i := range next {
			next[i] /= total
		}
		score = next
	}
	return score
}

// A termWalk is the graph of sentences and terms, for steps sentence-term-sentence.
type termWalk struct {
	links [][]termLink // per sentence
	away  []float64    // per sentence: the share of its steps that lead to another
	size  int          // number of terms
}

type termLink struct {
	term   int
	to, of float64 // probability of this term from the sentence, of the sentence from the term
}

func newTermWalk(sentences []string) *termWalk {
	g := &termWalk{links: make([][]termLink, len(sentences)), away: make([]float64, len(sentences))}
	ids := map[string]int{}
	var df []int
	for i, s := range sentences {
		counts := map[int]int{}
		scanTerms(s, func(term string, _, _ int) {
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
			g.links[i] = append(g.links[i], termLink{term: id, to: 1 + math.Log(float64(n))})
		}
		slices.SortFunc(g.links[i], func(a, b termLink) int { return a.term - b.term })
	}
	g.size = len(df)
	g.weigh(df)
	return g
}

// weigh turns counts into probabilities: by rarity, and by length, so that a long
// sentence is not central for its length alone.
func (g *termWalk) weigh(df []int) {
	n := float64(len(g.links))
	of := make([]float64, g.size)
	for _, links := range g.links {
		norm, sum := 0., 0.
		for k := range links {
			l := &links[k]
			l.to *= math.Log(1 + n/float64(df[l.term]))
			norm += l.to * l.to
			sum += l.to
		}
		for k := range links {
			l := &links[k]
			l.of = l.to / math.Sqrt(norm)
			l.to /= sum
			of[l.term] += l.of
		}
	}
	for i, links := range g.links {
		stay := 0.
		for k := range links {
			l := &links[k]
			l.of /= of[l.term]
			stay += l.to * l.of
		}
		g.away[i] = 1 - stay
	}
}

// step moves every walker once; lost is the share of those on sentences that
// share no term with another.
func (g *termWalk) step(score []float64) (next []float64, lost float64) {
	next = make([]float64, len(score))
	terms := make([]float64, g.size)
	for i, links := range g.links {
		if g.away[i] < 1e-9 {
			lost += score[i]
			continue
		}
		share := score[i] / g.away[i]
		for _, l := range links {
			terms[l.term] += share * l.to
			next[i] -= share * l.to * l.of
		}
	}
	for i, links := range g.links {
		for _, l := range links {
			next[i] += terms[l.term] * l.of
		}
		next[i] = max(next[i], 0)
	}
	return next, lost
}
