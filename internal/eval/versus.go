package eval

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// A Versus says how much better a variant is than the first one on the same questions.
type Versus struct {
	Recall5 Difference `json:"recall@5"`
	MRR     Difference `json:"mrr"`
}

// A Difference is a mean over questions, with the interval in which it is with a probability of
// 95 %, by a paired bootstrap. It is zero without questions.
type Difference struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// bootstrapRounds is how often the questions are drawn.
const bootstrapRounds = 4000

// difference returns the mean of the differences of single questions with its interval. It
// draws the same questions whenever there are as many.
func difference(of []float64) Difference {
	if len(of) == 0 {
		return Difference{}
	}
	draw := rand.New(rand.NewPCG(1, uint64(len(of)))) //nolint:gosec // the draws need not be secret
	means := make([]float64, bootstrapRounds)
	total := 0.
	for _, x := range of {
		total += x
	}
	for i := range means {
		sum := 0.
		for range of {
			sum += of[draw.IntN(len(of))]
		}
		means[i] = sum / float64(len(of))
	}
	slices.Sort(means)
	tail := bootstrapRounds * 25 / 1000
	return Difference{Mean: total / float64(len(of)), Low: means[tail], High: means[bootstrapRounds-1-tail]}
}

// versus compares the metrics of questions with those of the first variant.
func versus(first, own []Metrics) Versus {
	recall, mrr := make([]float64, len(own)), make([]float64, len(own))
	for i := range own {
		recall[i], mrr[i] = own[i].Recall5-first[i].Recall5, own[i].MRR-first[i].MRR
	}
	return Versus{difference(recall), difference(mrr)}
}

// A Group is some of the questions.
type Group struct {
	Metrics

	Versus *Versus `json:"versus,omitempty"` // absent for the first variant
}

// isOdd reports whether a question is one of those that no setting is chosen on: its id ends in
// an odd digit.
func isOdd(id string) bool {
	for _, digit := range "13579" {
		if strings.HasSuffix(id, string(digit)) {
			return true
		}
	}
	return false
}

// groups are the groups that a comparison shows.
var groups = []struct {
	name string
	has  func(task) bool
}{
	{"all", func(task) bool { return true }},
	{"odd", func(t task) bool { return isOdd(t.q.ID) }},
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
