package evalreport

import (
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A Retrieval is how well the searches of a condition found the documents that hold the answers. A
// search that failed has found nothing.
type Retrieval struct {
	Name      string            `json:"name"` // different for each condition of searches
	Key       string            `json:"key"`
	Condition evalrun.Condition `json:"condition"`
	Failed    int               `json:"failed"`  // searches, which count as having found nothing
	Against   string            `json:"against"` // name of the condition of the same corpus that it is compared with; empty for that one

	score.RetrievalScore

	rankings []score.Ranking // by question
	note     string          // about older conditions of the same name
}

// retrieval returns how well searches found evidence, by condition; the conditions of a corpus are compared
// with the condition named against, or else with the first one.
func (v *view) retrieval(against string) []Retrieval {
	var out []Retrieval
	for _, c := range v.searches {
		r := Retrieval{Name: c.Name, Key: c.Key, Condition: c.Condition, note: c.olderNote()}
		r.rankings, r.Failed = v.records.Rankings(c.Key)
		r.RetrievalScore = score.Retrieval(nil, r.rankings)
		if r.Questions > 0 {
			out = append(out, r)
		}
	}
	for i := range out {
		base := baseOf(out, out[i].Condition.Corpus, against)
		if base != i {
			out[i].Against = out[base].Name
			out[i].RetrievalScore = score.Retrieval(out[base].rankings, out[i].rankings)
		}
	}
	return out
}

// baseOf returns the index of the condition that the others of a corpus are compared with.
func baseOf(all []Retrieval, corpus, against string) int {
	first := -1
	for i, r := range all {
		if r.Condition.Corpus != corpus {
			continue
		}
		if r.Name == against {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// comparedMetrics are the metrics that are compared between evaluations.
var comparedMetrics = []struct {
	name string
	of   func(score.Metrics) float64
}{
	{"recall@5", func(m score.Metrics) float64 { return m.Recall5 }},
	{"MRR", func(m score.Metrics) float64 { return m.MRR }},
	{"nDCG@10", func(m score.Metrics) float64 { return m.NDCG }},
}

// values returns a metric by question.
func (r Retrieval) values(of func(score.Metrics) float64) values {
	out := empty(len(r.rankings))
	for i, ranking := range r.rankings {
		if ranking.Ranks != nil {
			out[i] = of(ranking.Metrics())
		}
	}
	return out
}

// interval returns the mean of a metric with its interval.
func (r Retrieval) interval(of func(score.Metrics) float64) stats.Interval {
	i, _ := r.values(of).interval()
	return i
}
