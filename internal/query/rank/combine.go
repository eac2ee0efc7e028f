package rank

import "math"

// A Hit is a result of a full-text search: a passage, a document, a lead. Its score
// counts for its owner, a document or chunk, or for itself if Owner is empty.
type Hit struct {
	Key, Owner string
	Score      float64
}

// Views are the hits of one question in several full-text indexes: short passages, whole
// documents, leads (title or first message, and date), and pairs of terms.
type Views struct {
	Passages, Documents, Leads, Pairs []Hit
}

// Weights are the weights of the views, and of the penalty for long documents. The zero
// value means DefaultWeights.
type Weights struct {
	Passage, Document, Lead, Pair, Length float64
}

// DefaultWeights are the weights that gave the best results on the development sets.
var DefaultWeights = Weights{Passage: 1.4, Document: .6, Lead: .4, Pair: .2, Length: .05}

// Combine ranks owners. The score of an owner is the weighted sum of its best hit in each
// view, divided by the best such sum, less a small penalty for owners with many
// passages, which have more chances of a good hit. passages is the number of passages
// of each owner. The result does not depend on the order of hits; ties are sorted by key.
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
			sums[owner] += float64(view.weight * score)
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
		sums[owner] = sum/top - float64(w.Length*math.Log1p(float64(max(0, passages[owner]))))
	}
	return sortedScores(sums)
}

// bestByOwner returns the best score of each owner. It ignores scores that are NaN,
// infinite or negative.
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
