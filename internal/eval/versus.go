package eval

import (
	"github.com/neorag/neorag/internal/assess"
	"github.com/neorag/neorag/internal/stats"
)

// A Versus says how much better a variant is than the first one on the same questions, by a paired
// bootstrap.
type Versus struct {
	Recall5 stats.Interval `json:"recall@5"`
	MRR     stats.Interval `json:"mrr"`
}

// versus compares the metrics of questions with those of the first variant.
func versus(first, own []Metrics) Versus {
	recall, mrr := make([]float64, len(own)), make([]float64, len(own))
	for i := range own {
		recall[i], mrr[i] = own[i].Recall5-first[i].Recall5, own[i].MRR-first[i].MRR
	}
	return Versus{stats.Bootstrap(recall), stats.Bootstrap(mrr)}
}

// A Group is some of the questions.
type Group struct {
	Metrics

	Versus *Versus `json:"versus,omitempty"` // absent for the first variant
}

// groups are the groups that a comparison shows.
var groups = []struct {
	name string
	has  func(task) bool
}{
	{"all", func(task) bool { return true }},
	{"odd", func(t task) bool { return assess.IsOdd(t.q.ID) }},
	{"several", func(t task) bool { return len(t.wanted) > 1 }},
}

// groupsOf returns the groups of a variant, given the metrics of each task for the first variant
// and for this one.
func groupsOf(tasks []task, first, own []Metrics, isFirst bool) map[string]Group {
	out := map[string]Group{}
	for _, g := range groups {
		var a, b []Metrics
		for i, t := range tasks {
			if g.has(t) {
				a, b = append(a, first[i]), append(b, own[i])
			}
		}
		group := Group{Metrics: mean(b)}
		if !isFirst {
			v := versus(a, b)
			group.Versus = &v
		}
		out[g.name] = group
	}
	return out
}
