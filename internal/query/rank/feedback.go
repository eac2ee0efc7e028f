package rank

import (
	"cmp"
	"slices"
)

// feedbackTerms is how many terms a feedback query has.
const feedbackTerms = 20

// A FeedbackText is a text that a search found, with its score.
type FeedbackText struct {
	Terms []string
	Score float64
}

// Feedback returns the terms that are most typical of the best texts that a search found, with
// weights that add up to 1, heaviest first: RM3 (Abdul-Jaleel and others 2004) without
// interpolation, with frequencies scaled by rarity.
func Feedback(texts []FeedbackText, rarity func(string) float64) (terms []string, weights []float64) {
	total := 0.
	for _, t := range texts {
		total += max(0, t.Score)
	}
	sums := map[string]float64{}
	for _, t := range texts {
		counts := map[string]int{}
		for _, term := range t.Terms {
			counts[term]++
		}
		for term, n := range counts {
			sums[term] += float64(share(max(0, t.Score), total) * share(float64(n), float64(len(t.Terms))) * rarity(term))
		}
	}
	list := sortedScores(sums)
	list = slices.DeleteFunc(list[:min(feedbackTerms, len(list))], func(s Scored) bool { return s.Score <= 0 })
	slices.SortStableFunc(list, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	sum := 0.
	for _, s := range list {
		sum += s.Score
	}
	for _, s := range list {
		terms, weights = append(terms, s.Key), append(weights, share(s.Score, sum))
	}
	return terms, weights
}
