package evalreport

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A ConditionPair is the comparison of two conditions by one criterion (GraphRAG, figure 2 and table 6).
// Scores are the scores of the first condition: 100 if it won, 50 for a tie, 0 if it lost, as means over
// replicates, then over both orders, then over questions.
type ConditionPair struct {
	Judge       string            `json:"judge"`
	Criterion   string            `json:"criterion"`
	First       string            `json:"first"`  // name of a condition
	Second      string            `json:"second"` // name of a condition
	Questions   int               `json:"questions"`
	Score       stats.Interval    `json:"score"` // of the first condition, from 0 to 100; the second has 100 less it
	Wilcoxon    stats.Wilcoxon    `json:"wilcoxon"`
	Holm        float64           `json:"p_holm"`            // p corrected for all pairs of the judge and criterion
	Permutation stats.Permutation `json:"permutation"`       // of single judgements, by question
	Shapiro     *stats.Shapiro    `json:"shapiro,omitempty"` // Shapiro-Wilk test of the differences; absent if they are equal, or of fewer than three questions
	Judged      int               `json:"judgements"`
	Failed      int               `json:"failed"`    // judgements, which no condition won
	OneOrder    int               `json:"one_order"` // questions judged in one order only

	scores values
	labels []int // of the majority of the judgements, by question: 1 first, 2 second, 0 neither
}

// The scores of a win and of a tie.
const (
	winScore = 100.
	tieScore = winScore / 2
)

// criteria are the criteria of the papers, in the order of their tables.
var criteria = []string{"comprehensiveness", "diversity", "empowerment", "directness"}

// criterionOverall is LightRAG's last criterion.
const criterionOverall = "overall"

// compareCriteria orders criteria as the papers do; others are after them, and "overall" is last.
func compareCriteria(a, b string) int {
	rank := func(c string) int {
		if c == criterionOverall {
			return len(criteria) + 1
		}
		if i := slices.Index(criteria, c); i >= 0 {
			return i
		}
		return len(criteria)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// A contest is the judgements of one pair of conditions by one judge and criterion.
type contest struct {
	judge, criterion string
	a, b             int // conditions, a < b
}

// A ballot is the judgements of one question, as scores of the first condition: those where its
// answer was read first, and the others.
type ballot struct{ orders [2][]float64 }

// pairs returns the comparisons of all conditions, by judge, criterion and conditions.
func (v *view) pairs() []ConditionPair {
	ballots := map[contest][]ballot{}
	for _, j := range v.folder.Judgements.All() {
		first, ok1 := v.places[j.First]
		second, ok2 := v.places[j.Second]
		if !ok1 || !ok2 || first.question != second.question || first.condition == second.condition {
			continue // of conditions that are not shown
		}
		score, order := scoreOf(j.Winner), 0
		if first.condition > second.condition {
			first, second, score, order = second, first, winScore-score, 1
		}
		c := contest{j.Judge, j.Criterion, first.condition, second.condition}
		if ballots[c] == nil {
			ballots[c] = make([]ballot, len(v.questions))
		}
		orders := &ballots[c][first.question].orders
		orders[order] = append(orders[order], score)
	}
	failed := v.failedJudgements()
	for c := range failed {
		if ballots[c] == nil {
			ballots[c] = make([]ballot, len(v.questions))
		}
	}
	var out []ConditionPair
	for _, c := range sortedContests(ballots) {
		p := pairOf(ballots[c])
		p.Judge, p.Criterion, p.Failed = c.judge, c.criterion, failed[c]
		p.First, p.Second = v.conditions[c.a].Name, v.conditions[c.b].Name
		out = append(out, p)
	}
	correct(out)
	return out
}

// scoreOf returns the score of the answer that was read first.
func scoreOf(winner int) float64 {
	switch winner {
	case 1:
		return winScore
	case 2:
		return 0
	}
	return tieScore
}

func sortedContests(ballots map[contest][]ballot) []contest {
	var all []contest
	for c := range ballots {
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y contest) int {
		return cmp.Or(cmp.Compare(x.judge, y.judge), compareCriteria(x.criterion, y.criterion), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return all
}

// pairOf computes the comparison of two conditions from the judgements of each question.
func pairOf(ballots []ballot) ConditionPair {
	p := ConditionPair{scores: make(values, len(ballots)), labels: make([]int, len(ballots))}
	var scores, differences []float64
	var clusters [][]float64
	for i, b := range ballots {
		p.scores[i] = none
		judged := slices.Concat(b.orders[0], b.orders[1])
		if len(judged) == 0 {
			continue
		}
		score := (mean(b.orders[0]) + mean(b.orders[1])) / 2
		if len(b.orders[0]) == 0 || len(b.orders[1]) == 0 {
			score = mean(judged)
			p.OneOrder++
		}
		p.Judged += len(judged)
		p.scores[i], p.labels[i] = score, majority(judged)
		scores = append(scores, score)
		// The difference to the score of the second condition, winScore - score.
		differences = append(differences, rounded(2*score-winScore))
		cluster := make([]float64, len(judged))
		for k, s := range judged {
			cluster[k] = 2*s - winScore
		}
		clusters = append(clusters, cluster)
	}
	p.Questions = len(scores)
	p.Score, p.Wilcoxon, p.Permutation = stats.Bootstrap(scores), stats.SignedRank(differences), stats.ClusteredPermutation(clusters)
	if s, ok := stats.ShapiroWilk(differences); ok {
		p.Shapiro = &s
	}
	return p
}

// majority returns the label that more than half of the judgements have, 0 if none has
// (GraphRAG 5.2).
func majority(scores []float64) int {
	first, second := 0, 0
	for _, s := range scores {
		switch s {
		case winScore:
			first++
		case 0:
			second++
		}
	}
	return score.Majority(first, second, len(scores))
}

// family returns the judge and the criterion: the pairs that have both in common are one family of
// tests, as in table 6 of the GraphRAG paper.
func (p ConditionPair) family() [2]string { return [2]string{p.Judge, p.Criterion} }

// correct sets the corrected p-values.
func correct(pairs []ConditionPair) {
	for _, family := range grouped(pairs, ConditionPair.family) {
		p := make([]float64, len(family))
		for i := range family {
			p[i] = family[i].Wilcoxon.P
		}
		for i, corrected := range stats.Holm(p) {
			family[i].Holm = corrected
		}
	}
}

// failedJudgements counts the judgements that failed. A failure only has the key of its cell, so
// that the keys of all cells that the judges of the folder may have tried are looked up.
func (v *view) failedJudgements() map[contest]int {
	out := map[contest]int{}
	tried := v.triedJudgements()
	if len(v.failed) == 0 || len(tried) == 0 {
		return out
	}
	for a := range v.conditions {
		for b := a + 1; b < len(v.conditions); b++ {
			for q := range v.questions {
				x, y := v.answers[a][q].key, v.answers[b][q].key
				for _, j := range tried {
					forward, backward := j, j
					forward.First, forward.Second = x, y
					backward.First, backward.Second = y, x
					for _, key := range []string{forward.Key(), backward.Key()} {
						if v.failed[key] {
							out[contest{j.Judge, j.Criterion, a, b}]++
						}
					}
				}
			}
		}
	}
	return out
}

// triedJudgements returns the different judges, criteria and replicates of all judgements.
func (v *view) triedJudgements() []evalrun.Judgement {
	var out []evalrun.Judgement
	seen := map[evalrun.Judgement]bool{}
	for _, j := range v.folder.Judgements.All() {
		kind := evalrun.Judgement{Judge: j.Judge, Criterion: j.Criterion, Replicate: j.Replicate}
		if !seen[kind] {
			seen[kind] = true
			out = append(out, kind)
		}
	}
	return out
}
