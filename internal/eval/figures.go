package eval

import (
	"math"
	"slices"
)

// Cuts are the ranks at which recall is measured.
var Cuts = [4]int{1, 3, 5, 10}

// hitCut is the rank within which all evidence counts as a hit.
const hitCut = 5

// gainCut is the rank down to which nDCG looks.
const gainCut = 10

// Figures are means over questions, each from 0 to 1, and times in milliseconds
// a question.
type Figures struct {
	Questions int     `json:"questions"`
	Recall1   float64 `json:"recall@1"`
	Recall3   float64 `json:"recall@3"`
	Recall5   float64 `json:"recall@5"`
	Recall10  float64 `json:"recall@10"`
	Hit5      float64 `json:"hit@5"` // share of questions with all their evidence among the first five
	MRR       float64 `json:"mrr"`
	NDCG      float64 `json:"ndcg"` // of the first ten documents, each worth one or nothing
	MS        float64 `json:"ms"`
	MSNeo4j   float64 `json:"ms_neo4j"` // from sending the reads to their last row
	MSGo      float64 `json:"ms_go"`    // the rest
}

// ranks are the ranks, from 1, at which each wanted thing comes first; 0 where
// it does not come. One that several documents serve has the best of theirs.
func ranks(found []string, wanted [][]string) []int {
	out := make([]int, len(wanted))
	for i, names := range wanted {
		out[i] = slices.IndexFunc(found, func(d string) bool { return slices.Contains(names, d) }) + 1
	}
	slices.Sort(out)
	return out
}

// figuresOf measures one question by the ranks of its evidence.
func figuresOf(ranks []int) Figures {
	f := Figures{Questions: 1}
	recall := [...]*float64{&f.Recall1, &f.Recall3, &f.Recall5, &f.Recall10}
	best, within := 0, 0
	var gain, ideal float64
	for i, r := range ranks {
		if i < gainCut {
			ideal += 1 / math.Log2(float64(i+2))
		}
		if r == 0 {
			continue
		}
		if best == 0 || r < best {
			best = r
		}
		if r <= hitCut {
			within++
		}
		if r <= gainCut {
			gain += 1 / math.Log2(float64(r+1))
		}
		for k, cut := range Cuts {
			if r <= cut {
				*recall[k] += 1 / float64(len(ranks))
			}
		}
	}
	if best > 0 {
		f.MRR = 1 / float64(best)
	}
	if within == len(ranks) {
		f.Hit5 = 1
	}
	f.NDCG = gain / ideal
	return f
}

// mean is the mean of figures of single questions.
func mean(all []Figures) Figures {
	var sum Figures
	fields := func(f *Figures) []*float64 {
		return []*float64{&f.Recall1, &f.Recall3, &f.Recall5, &f.Recall10, &f.Hit5, &f.MRR, &f.NDCG, &f.MS, &f.MSNeo4j, &f.MSGo}
	}
	to := fields(&sum)
	for _, f := range all {
		for i, v := range fields(&f) {
			*to[i] += *v
		}
	}
	for _, v := range to {
		*v /= max(float64(len(all)), 1)
	}
	sum.Questions = len(all)
	return sum
}
