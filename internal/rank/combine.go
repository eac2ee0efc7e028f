package rank

import (
	"math"
)

// A Hit is something that full text found: a passage, a document, a lead. Owner is
// the document or chunk that it speaks for; empty, it speaks for itself.
type Hit struct {
	Key, Owner string
	Score      float64
}

// Views are the hits of one question in several indexes: short passages, whole
// documents, leads (title or first message, and date), and pairs of terms.
type Views struct {
	Passages, Documents, Leads, Pairs []Hit
}

// Weights says how much each view counts, and how much a document loses for its
// length. The zero value stands for DefaultWeights.
type Weights struct {
	Passage, Document, Lead, Pair, Length float64
}

// DefaultWeights is what served best on the development sets.
var DefaultWeights = Weights{Passage: 1.4, Document: .6, Lead: .4, Pair: .2, Length: .05}

// Combine ranks owners: the best hit of each view counts, the views are summed by
// weight, the best sum is scaled to 1, and an owner with many passages loses a
// little, since it has more chances for a good one. The order of hits has no
// influence; ties go by key.
func Combine(v Views, passages map[string]int, w Weights) []Scored {
	if w == (Weights{}) {
		w = DefaultWeights
	}
	sums := map[string]float64{}
	for _, view := range []struct {
		hits   []Hit
		weight float64
	}{{v.Passages, w.Passage}, {v.Documents, w.Document}, {v.Leads, w.Lead}, {v.Pairs, w.Pair}} {
		for owner, score := range bestByOwner(view.hits) {
			sums[owner] += view.weight * score
		}
	}
	top := 0.
	for _, sum := range sums {
		top = max(top, sum)
	}
	if top == 0 {
		top = 1
	}
	for owner, sum := range sums {
		sums[owner] = sum/top - w.Length*math.Log1p(float64(max(0, passages[owner])))
	}
	return sortedScores(sums)
}

// bestByOwner is the best score of each owner; scores that are no number, infinite or
// negative say nothing and are left out.
func bestByOwner(hits []Hit) map[string]float64 {
	out := make(map[string]float64, len(hits))
	for _, h := range hits {
		if !(h.Score >= 0) || math.IsInf(h.Score, 0) {
			continue
		}
		owner := h.Owner
		if owner == "" {
			owner = h.Key
		}
		out[owner] = max(out[owner], h.Score)
	}
	return out
}

// DefaultK is the constant of RRF where none is given.
const DefaultK = 60

// RRF fuses ranked lists of keys by reciprocal rank: the sum of 1/(k+rank) over
// the lists, rank from 1. A key that a list repeats counts once, where it comes
// first.
func RRF(lists [][]string, k float64) []Scored {
	weighted := make([]List, len(lists))
	for i, keys := range lists {
		weighted[i].Keys = keys
	}
	return Fuse(weighted, k)
}
