package synth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A Sentence is a statement that may be chosen for an answer.
type Sentence struct {
	cite.Item

	Score  float64 // for the question, from 0 to 100
	weight float64 // of its block, from 0 to 1
	first  bool    // it opens its block
}

// Score sets the Score of each sentence for a question. A sentence that shares
// no term with the question keeps 0. For an overview question (see
// route.IsOverview) the weight of the block decides.
func Score(q textproc.Query, sentences []Sentence) {
	if route.IsOverview(q) {
		for i := range sentences {
			s := &sentences[i]
			s.Score = 80 * s.weight
			if s.first {
				s.Score += 20 * s.weight
			}
		}
		return
	}
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = s.Text
	}
	focus := textproc.NewSentenceScorer(q, texts)
	titles := map[string]float64{}
	for i := range sentences {
		s := &sentences[i]
		own := focus.Score(s.Text)
		if own == 0 {
			continue
		}
		title, known := titles[s.Title]
		if !known {
			title = focus.Score(s.Title)
			titles[s.Title] = title
		}
		s.Score = 100 * min(1, own+.15*title) * (.8 + .2*s.weight)
	}
}

const (
	// minScoreShare is the share of the best score below which a sentence is
	// left out of an answer.
	minScoreShare = .35
	// maxPerTarget bounds what one report or chunk adds to an answer.
	maxPerTarget = 3
)

// Select chooses sentences by score within a number of tokens, at most
// perTarget of them from one target (the node that an answer cites). Of
// sentences that repeat each other it chooses the best; a sentence that says
// the same in nearly the same words is added to its citations.
func Select(sentences []Sentence, limit, perTarget int) []Sentence {
	best := 0.
	for _, s := range sentences {
		best = max(best, s.Score)
	}
	var sorted []Sentence
	for _, s := range sentences {
		if s.Score > 0 && s.Score >= minScoreShare*best {
			sorted = append(sorted, s)
		}
	}
	slices.SortStableFunc(sorted, byScore)
	perKey := map[string]int{}
	tokens := 0
	return choose(sorted, len(sorted), func(s Sentence) bool {
		n := ApproximateTokens(s.Text)
		if tokens+n > limit || perKey[s.Target.Key] >= perTarget {
			return false
		}
		tokens += n
		perKey[s.Target.Key]++
		return true
	})
}

// choose returns the first sentences that fit admits and that repeat none before them, at most most. A
// sentence that says the same as a chosen one in nearly the same words is added to its citations.
func choose(sorted []Sentence, most int, fit func(Sentence) bool) []Sentence {
	var chosen []Sentence
	var terms []textproc.TermSet // of those chosen
	for _, s := range sorted {
		if len(chosen) == most {
			break
		}
		own := textproc.TermSetOf(s.Text)
		if slices.ContainsFunc(terms, func(o textproc.TermSet) bool { return overlap(own, o) }) {
			citeAlso(chosen, s)
			continue
		}
		if fit(s) {
			terms, chosen = append(terms, own), append(chosen, s)
		}
	}
	return chosen
}

// byScore orders sentences by falling score, then by text and target.
func byScore(a, b Sentence) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Text, b.Text), strings.Compare(a.Target.Key, b.Target.Key))
}

// maxOverlap is the share of the smaller term set from which two sentences repeat
// each other.
const maxOverlap = .7

// overlap reports whether two sentences repeat each other.
func overlap(a, b textproc.TermSet) bool {
	small := min(len(a), len(b))
	return small > 0 && float64(a.Shared(b)) >= maxOverlap*float64(small)
}

// citeAlso adds a sentence to the citations of the first chosen one that says the same.
func citeAlso(chosen []Sentence, s Sentence) {
	same := normalize(s.Text)
	for i := range chosen {
		c := &chosen[i]
		if c.Target != s.Target && len(c.Also) < cite.MaxPerPlace-1 && normalize(c.Text).nearDuplicate(same) {
			c.Also = append(c.Also, s.Statement)
			return
		}
	}
}

// ApproximateTokens estimates the tokens of a text by its length. Answers
// without a model use it, because loading a vocabulary would take longer than
// answering.
func ApproximateTokens(s string) int { return len(s)/4 + 1 }

// Summarize chooses the best sentences within the limits of a request, and
// groups them by the title of their target, the best first: chunks of a document have one title.
func Summarize(r Request, sentences []Sentence) []cite.Item {
	chosen := Select(sentences, min(r.AnswerTokens, r.ReduceTokens), maxPerTarget)
	order := map[string]int{}
	for _, s := range chosen {
		if _, ok := order[s.Title]; !ok {
			order[s.Title] = len(order)
		}
	}
	slices.SortStableFunc(chosen, func(a, b Sentence) int { return order[a.Title] - order[b.Title] })
	return items(chosen)
}

func items(sentences []Sentence) []cite.Item {
	out := make([]cite.Item, len(sentences))
	for i, s := range sentences {
		out[i] = s.Item
	}
	return out
}
