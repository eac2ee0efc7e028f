package main

import (
	"math"

	"github.com/neorag/neorag/internal/text/textproc"
)

// weighted are the terms of nodes, weighted by their rarity: what vectors that depend on the
// corpus would compare. Hashed vectors do not, so that updates stay exact.
type weighted struct {
	postings map[string][]posting
	norm     []float64
	count    float64
}

type posting struct {
	node  int
	times float64
}

// addText adds the text of the next node.
func (w *weighted) addText(text string) {
	times := map[string]float64{}
	for _, term := range textproc.Terms(text) {
		times[term]++
	}
	for term, n := range times {
		w.postings[term] = append(w.postings[term], posting{len(w.norm), 1 + math.Log(n)})
	}
	w.norm = append(w.norm, 0)
}

func (w *weighted) rarity(term string) float64 {
	n := float64(len(w.postings[term]))
	return math.Log(1 + (w.count-n+.5)/(n+.5))
}

// finish computes the lengths of the nodes.
func (w *weighted) finish() {
	w.count = float64(len(w.norm))
	for term, list := range w.postings {
		rarity := w.rarity(term)
		for _, p := range list {
			w.norm[p.node] += p.times * rarity * p.times * rarity
		}
	}
	for i, x := range w.norm {
		w.norm[i] = math.Sqrt(x)
	}
}

// cosines returns the cosine of each node with a question.
func (w *weighted) cosines(question string) []float64 {
	out := make([]float64, len(w.norm))
	length := 0.
	for _, t := range textproc.ReadQuestion(question).Terms {
		rarity := w.rarity(t.Term)
		length += t.Weight * rarity * t.Weight * rarity
		for _, p := range w.postings[t.Term] {
			out[p.node] += t.Weight * rarity * p.times * rarity
		}
	}
	for i := range out {
		if out[i] != 0 {
			out[i] /= w.norm[i] * math.Sqrt(length)
		}
	}
	return out
}
