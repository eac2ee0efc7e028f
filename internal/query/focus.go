package query

import (
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/textproc"
)

// overviewWords are what a question is made of that asks about the whole and
// names nothing in it: such a question is answered by importance, not by words.
const overviewWords = `about account aspect book broad central character chief collection common content conversation core corpus
cover coverage dataset data deal document event figure file general give going happen happening highlight idea important
interesting issue key kind list main major material matter message moral most name narrative notable novel overall overview
pattern people person plot point prominent relationship significant story subject summary tale tell text theme thing top topic
trend type way what who work world`

// isOverview reports whether nothing is left of a question beside words that
// any collection could be asked about.
func isOverview(q textproc.Query) bool {
	general := map[string]bool{}
	for _, t := range textproc.Terms(overviewWords) {
		general[t] = true
	}
	return !slices.ContainsFunc(q.Terms, func(t textproc.WeightedTerm) bool { return !general[t.Term] })
}

// rate scores statements for a question, from 0 to 100. Those that share
// nothing with it get 0, except when the question is about the whole.
func rate(q textproc.Query, statements []statement) {
	if isOverview(q) {
		for i := range statements {
			s := &statements[i]
			s.score = 80 * s.weight
			if s.first {
				s.score += 20 * s.weight
			}
		}
		return
	}
	texts := make([]string, len(statements))
	for i, s := range statements {
		texts[i] = s.text
	}
	focus := textproc.NewSentenceScorer(q, texts)
	titles := map[string]float64{}
	for i := range statements {
		s := &statements[i]
		own := focus.Score(s.text)
		if own == 0 {
			continue
		}
		about, known := titles[s.title]
		if !known {
			about = focus.Score(s.title)
			titles[s.title] = about
		}
		s.score = 100 * min(1, own+.15*about) * (.8 + .2*s.weight)
	}
}

// leastShare is the part of the best score below which a statement says too
// little to stand in an answer.
const leastShare = .35

// choose picks statements by score until limit tokens, at most perGroup of one
// group, and none that says again what is already said: one that says the same
// in nearly the same words is cited beside the other.
func choose(statements []statement, count func(string) int, limit, perGroup int) []statement {
	sorted := slices.Clone(statements)
	slices.SortStableFunc(sorted, byScore)
	least := 0.
	if len(sorted) > 0 {
		least = leastShare * sorted[0].score
	}
	var out []statement
	var said []map[string]bool
	groups := map[string]int{}
	tokens := 0
	for _, s := range sorted {
		if s.score <= 0 || s.score < least {
			continue
		}
		words := termSet(s.text)
		if repeats(words, said) {
			cite(out, s)
			continue
		}
		n := count(s.text)
		if tokens+n > limit || groups[s.group] >= perGroup {
			continue
		}
		tokens += n
		groups[s.group]++
		said = append(said, words)
		out = append(out, s)
	}
	return out
}

func byScore(a, b statement) int {
	switch {
	case a.score != b.score:
		return int(math.Copysign(1, b.score-a.score))
	case a.text != b.text:
		return strings.Compare(a.text, b.text)
	default:
		return strings.Compare(a.target.Key, b.target.Key)
	}
}

// repeatShare is the share of a statement's terms that another may hold before
// the two count as one.
const repeatShare = .7

func repeats(words map[string]bool, said []map[string]bool) bool {
	for _, other := range said {
		shared := 0
		for w := range words {
			if other[w] {
				shared++
			}
		}
		if small := min(len(words), len(other)); small > 0 && float64(shared) >= repeatShare*float64(small) {
			return true
		}
	}
	return false
}

// cite puts a statement beside the first of those chosen that says the same.
func cite(chosen []statement, s statement) {
	words := say(s.text)
	for i := range chosen {
		c := &chosen[i]
		if c.target != s.target && len(c.also) < mostAtOnePlace-1 && say(c.text).same(words) {
			c.also = append(c.also, s)
			return
		}
	}
}

func termSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range textproc.Terms(text) {
		set[t] = true
	}
	return set
}
