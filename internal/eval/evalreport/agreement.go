package evalreport

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// An Agreement is how often two ways of labelling the same items agree.
type Agreement struct {
	Of        string   `json:"of"` // what is compared
	Criterion string   `json:"criterion"`
	Items     int      `json:"items"`
	Agreed    float64  `json:"agreed"`          // share of the items, from 0 to 1
	Kappa     *float64 `json:"kappa,omitempty"` // Cohen's; absent if one label has all items
}

// agreementOf returns how often labels agree.
func agreementOf(of, criterion string, first, second []int) Agreement {
	a := Agreement{Of: of, Criterion: criterion, Items: len(first)}
	for i := range first {
		a.Agreed += one(first[i] == second[i]) / float64(len(first))
	}
	if k, ok := stats.Kappa(first, second); ok {
		a.Kappa = &k
	}
	return a
}

// agreements returns how far judges agree with themselves when answers change places, with each
// other, and with numbers of claims.
func (v *view) agreements(pairs []ConditionPair, claims []ClaimCount) []Agreement {
	return slices.Concat(v.orderAgreements(), judgeAgreements(pairs), v.claimAgreements(claims))
}

// orderAgreements compare the judgements of the same answers in both orders.
func (v *view) orderAgreements() []Agreement {
	type item struct {
		judge, criterion, first, second string
		replicate                       int
	}
	winners := map[item]int{}
	for _, j := range v.folder.Judgements.All() {
		winners[item{j.Judge, j.Criterion, j.First, j.Second, j.Replicate}] = j.Winner
	}
	type group struct{ judge, criterion string }
	labels := map[group][2][]int{}
	for _, j := range v.folder.Judgements.All() {
		_, shown := v.places[j.First]
		other, both := winners[item{j.Judge, j.Criterion, j.Second, j.First, j.Replicate}]
		if !shown || !both || j.First > j.Second {
			continue
		}
		if other != 0 {
			other = 3 - other // the answer that is read second here
		}
		g := group{j.Judge, j.Criterion}
		labels[g] = [2][]int{append(labels[g][0], j.Winner), append(labels[g][1], other)}
	}
	var groups []group
	for g := range labels {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.judge, b.judge), compareCriteria(a.criterion, b.criterion))
	})
	var out []Agreement
	for _, g := range groups {
		out = append(out, agreementOf("both orders, "+g.judge, g.criterion, labels[g][0], labels[g][1]))
	}
	return out
}

// judgeAgreements compare the majorities of the judgements of two judges.
func judgeAgreements(pairs []ConditionPair) []Agreement {
	type labels struct{ first, second []int }
	found := map[[3]string]*labels{} // by both judges and criterion
	var order [][3]string
	for i, p := range pairs {
		for _, q := range pairs[i+1:] {
			if p.Judge == q.Judge || p.Criterion != q.Criterion || p.First != q.First || p.Second != q.Second {
				continue
			}
			id := [3]string{p.Judge, q.Judge, p.Criterion}
			if found[id] == nil {
				found[id] = &labels{}
				order = append(order, id)
			}
			for k := range p.labels {
				if !isNone(p.scores[k]) && !isNone(q.scores[k]) {
					found[id].first, found[id].second = append(found[id].first, p.labels[k]), append(found[id].second, q.labels[k])
				}
			}
		}
	}
	var out []Agreement
	for _, id := range order {
		if l := found[id]; len(l.first) > 0 {
			out = append(out, agreementOf(fmt.Sprintf("%s and %s", id[0], id[1]), id[2], l.first, l.second))
		}
	}
	return out
}

// claimAgreements compare the majorities of judgements, where there is one, with which answer has
// more claims for comprehensiveness, or more clusters of claims for diversity (GraphRAG 5.2).
func (v *view) claimAgreements(claims []ClaimCount) []Agreement {
	var out []Agreement
	for _, group := range grouped(claims, func(c ClaimCount) string { return c.Extractor }) {
		var keys []string
		var counts [][]score.Counts
		for _, c := range group {
			keys, counts = append(keys, c.key), append(counts, c.each)
		}
		for _, a := range v.records.ClaimAgreements(keys, counts) {
			if a.Labelled == 0 {
				continue
			}
			more := "claims"
			if a.Threshold > 0 {
				more = fmt.Sprintf("clusters at %.1f", a.Threshold)
			}
			of := fmt.Sprintf("%s, and which answer has more %s (%s)", a.Judge, more, group[0].Extractor)
			out = append(out, agreementOf(of, a.Criterion, a.Preferred, a.More))
		}
	}
	return out
}
