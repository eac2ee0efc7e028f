package score

import (
	"cmp"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// An Agreement is how often the answer with more claims, or more clusters of claims, is the one that
// most judgements prefer (GraphRAG 5.2).
type Agreement struct {
	Judge     string         `json:"judge"`     // the model and its prompt
	Criterion string         `json:"criterion"` // comprehensiveness or diversity
	Threshold float64        `json:"threshold"` // of the clusters that are compared; 0 for claims
	Pairs     int            `json:"pairs"`     // pairs of answers that were judged, and whose claims are known
	Labelled  int            `json:"labelled"`  // pairs of which more than half of the judgements prefer one answer
	Equal     int            `json:"equal"`     // labelled pairs with equal counts, which do not agree
	Agreed    stats.Interval `json:"agreed"`    // share of the labelled pairs whose counts prefer the same answer, with its 95 % interval
	// Preferred and More are, for each labelled pair, the answer that is preferred, and the one with
	// more claims or clusters: 1 the condition that was added first, 2 the other, 0 neither.
	Preferred []int `json:"-"`
	More      []int `json:"-"`
}

// criteria are the criteria that claims measure.
const (
	comprehensiveness = "comprehensiveness"
	diversity         = "diversity"
)

// A judgedPair is the answers of two conditions to one question, which a judge compared.
type judgedPair struct {
	judge, criterion string
	a, b, question   int // indexes, a < b
}

// votes are the judgements of a pair.
type votes struct{ first, second, all int }

// Majority returns the label that more than half of the judgements of two answers have, 1 or 2, and 0
// if none has (GraphRAG 5.2).
func Majority(first, second, all int) int {
	switch {
	case 2*first > all:
		return 1
	case 2*second > all:
		return 2
	}
	return 0
}

// ClaimAgreements compares the judgements of the answers of conditions, given by their keys, with the
// numbers of their claims. Answers whose claims are not known are left out.
func (r Records) ClaimAgreements(conditions []string, counts [][]Counts) []Agreement {
	pairs := r.judgedPairs(conditions)
	var out []Agreement
	at := map[agreementKey]int{}
	for _, p := range slices.SortedFunc(maps.Keys(pairs), compareJudgedPairs) {
		x, y := counts[p.a][p.question], counts[p.b][p.question]
		if x.State != StateMade || y.State != StateMade {
			continue
		}
		preferred := Majority(pairs[p].first, pairs[p].second, pairs[p].all)
		for _, c := range compared(p.criterion, x, y) {
			id := agreementKey{p.judge, p.criterion, c.threshold}
			i, known := at[id]
			if !known {
				i = len(out)
				at[id] = i
				out = append(out, Agreement{Judge: p.judge, Criterion: p.criterion, Threshold: c.threshold})
			}
			out[i].add(preferred, c.more)
		}
	}
	for i := range out {
		out[i].score()
	}
	return out
}

type agreementKey struct {
	judge, criterion string
	threshold        float64
}

func compareJudgedPairs(x, y judgedPair) int {
	return cmp.Or(cmp.Compare(x.judge, y.judge), cmp.Compare(x.criterion, y.criterion), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.question, y.question))
}

// judgedPairs counts the judgements of each pair by each judge and criterion, in both orders.
func (r Records) judgedPairs(conditions []string) map[judgedPair]*votes {
	type place struct{ condition, question int }
	places := map[string]place{} // by the key of an answer
	for i, c := range conditions {
		for j, q := range r.Questions {
			places[evalrun.AnswerKey(c, q.Key())] = place{i, j}
		}
	}
	out := map[judgedPair]*votes{}
	for _, j := range r.folder.Judgements.All() {
		first, ok := places[j.First]
		second, both := places[j.Second]
		measured := j.Criterion == comprehensiveness || j.Criterion == diversity
		if !ok || !both || !measured || first.question != second.question || first.condition == second.condition {
			continue
		}
		winner := j.Winner
		if first.condition > second.condition {
			first, second = second, first
			if winner != 0 {
				winner = 3 - winner
			}
		}
		p := judgedPair{j.Judge, j.Criterion, first.condition, second.condition, first.question}
		if out[p] == nil {
			out[p] = &votes{}
		}
		out[p].all++
		switch winner {
		case 1:
			out[p].first++
		case 2:
			out[p].second++
		}
	}
	return out
}

// A comparison is which of two answers has more claims, or clusters at a threshold.
type comparison struct {
	threshold float64
	more      int
}

// compared compares what measures a criterion.
func compared(criterion string, x, y Counts) []comparison {
	more := func(a, b int) int { return [...]int{2, 0, 1}[1+cmp.Compare(a, b)] }
	if criterion == comprehensiveness {
		return []comparison{{0, more(x.Claims, y.Claims)}}
	}
	var out []comparison
	for i, threshold := range claimset.Thresholds {
		out = append(out, comparison{threshold, more(x.Clusters[i], y.Clusters[i])})
	}
	return out
}

// add counts a pair.
func (a *Agreement) add(preferred, more int) {
	a.Pairs++
	if preferred == 0 {
		return
	}
	a.Labelled++
	if more == 0 {
		a.Equal++
	}
	a.Preferred, a.More = append(a.Preferred, preferred), append(a.More, more)
}

// score sets the share of the pairs that agree.
func (a *Agreement) score() {
	agreed := make([]float64, len(a.More))
	for i := range agreed {
		agreed[i] = one(a.Preferred[i] == a.More[i])
	}
	a.Agreed = stats.Bootstrap(agreed)
}
