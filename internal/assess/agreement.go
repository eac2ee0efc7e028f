package assess

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/claimset"
	"github.com/neorag/neorag/internal/evalrun"
	"github.com/neorag/neorag/internal/stats"
)

// An Agreement is how often the answer with more claims, or more clusters of claims, is the one that
// most judgements prefer (GraphRAG 5.2).
type Agreement struct {
	Judge     string  `json:"judge"`
	Criterion string  `json:"criterion"`
	Threshold float64 `json:"threshold"` // of the clusters; 0 for claims
	Pairs     int     `json:"pairs"`     // of answers to one question that were judged, and whose claims are known
	Labelled  int     `json:"labelled"`  // pairs of which more than half of the judgements prefer one answer
	Equal     int     `json:"equal"`     // of these, pairs with equal counts; they do not agree
	// Agreed is the share of the labelled pairs whose counts prefer the same answer.
	Agreed stats.Interval `json:"agreed"`
}

// criteria are the criteria that claims measure.
const (
	comprehensiveness = "comprehensiveness"
	diversity         = "diversity"
)

// A judgedPair is two answers with what the judgements of one criterion prefer.
type judgedPair struct {
	a, b      string // keys of the answers, in alphabetical order
	winsA     int
	winsB     int
	all       int
	judge     string
	criterion string
}

// agreementOf compares judgements with counts by the key of an answer: claims, then clusters by
// threshold.
func agreementOf(judgements []evalrun.Judgement, counts map[string][]int) []Agreement {
	var out []Agreement
	type column struct {
		judge, criterion string
	}
	pairs := pairsOf(judgements)
	var columns []column
	for _, p := range pairs {
		if c := (column{p.judge, p.criterion}); !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	for _, c := range columns {
		own := slices.DeleteFunc(slices.Clone(pairs), func(p judgedPair) bool {
			return p.judge != c.judge || p.criterion != c.criterion || counts[p.a] == nil || counts[p.b] == nil
		})
		if c.criterion == comprehensiveness {
			out = append(out, agree(c.judge, c.criterion, own, counts, 0))
			continue
		}
		for i := range claimset.Thresholds {
			out = append(out, agree(c.judge, c.criterion, own, counts, i+1))
		}
	}
	return out
}

// pairsOf counts the judgements of each pair by each judge and criterion, in both orders.
func pairsOf(judgements []evalrun.Judgement) []judgedPair {
	type key struct{ a, b, judge, criterion string }
	at := map[key]int{}
	var out []judgedPair
	for _, j := range judgements {
		if j.Criterion != comprehensiveness && j.Criterion != diversity {
			continue
		}
		k := key{min(j.First, j.Second), max(j.First, j.Second), j.Judge, j.Criterion}
		i, known := at[k]
		if !known {
			i = len(out)
			at[k] = i
			out = append(out, judgedPair{a: k.a, b: k.b, judge: k.judge, criterion: k.criterion})
		}
		out[i].all++
		if winner := [...]string{"", j.First, j.Second}[max(0, min(2, j.Winner))]; winner != "" {
			if winner == k.a {
				out[i].winsA++
			} else {
				out[i].winsB++
			}
		}
	}
	slices.SortStableFunc(out, func(a, b judgedPair) int {
		return cmp.Or(cmp.Compare(a.judge, b.judge), cmp.Compare(a.criterion, b.criterion), cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	return out
}

// agree compares the majorities of pairs with one column of the counts.
func agree(judge, criterion string, pairs []judgedPair, counts map[string][]int, column int) Agreement {
	out := Agreement{Judge: judge, Criterion: criterion, Pairs: len(pairs)}
	if column > 0 {
		out.Threshold = claimset.Thresholds[column-1]
	}
	var agreed []float64
	for _, p := range pairs {
		var majority int // more than half, or a tie
		switch {
		case 2*p.winsA > p.all:
			majority = 1
		case 2*p.winsB > p.all:
			majority = -1
		default:
			continue
		}
		counted := cmp.Compare(counts[p.a][column], counts[p.b][column])
		if counted == 0 {
			out.Equal++
		}
		same := 0.
		if counted == majority {
			same = 1
		}
		agreed = append(agreed, same)
	}
	out.Labelled, out.Agreed = len(agreed), stats.Bootstrap(agreed)
	return out
}
