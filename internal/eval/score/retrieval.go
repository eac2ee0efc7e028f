package score

import "math"

// RecallCuts are the ranks down to which recall is measured.
var RecallCuts = [4]int{1, 3, 5, 10}

// hitCut is the rank within which all evidence must be found to count as a hit.
const hitCut = 5

// gainCut is the rank down to which nDCG is computed.
const gainCut = 10

// Metrics are means over questions, from 0 to 1, and times in milliseconds per question.
type Metrics struct {
	Questions int     `json:"questions"`
	Recall1   float64 `json:"recall@1"`
	Recall3   float64 `json:"recall@3"`
	Recall5   float64 `json:"recall@5"`
	Recall10  float64 `json:"recall@10"`
	Hit5      float64 `json:"hit@5"` // share of questions whose evidence is all among the first five
	MRR       float64 `json:"mrr"`
	NDCG      float64 `json:"ndcg"`     // of the first ten documents, each with a gain of 1 or 0
	MS        float64 `json:"ms"`       // milliseconds per question: the sum of the next two
	MSNeo4j   float64 `json:"ms_neo4j"` // from sending the reads to their last row
	MSGo      float64 `json:"ms_go"`    // the rest
}

// MetricsOf returns the metrics of one question from the ranks of its evidence, from 1; 0 is what was
// not found.
func MetricsOf(ranks []int) Metrics {
	f := Metrics{Questions: 1}
	if len(ranks) == 0 {
		return f
	}
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
		for k, cut := range RecallCuts {
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

// meanOf returns the mean of metrics of single questions.
func meanOf(all []Metrics) Metrics {
	var sum Metrics
	fields := func(f *Metrics) []*float64 {
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
