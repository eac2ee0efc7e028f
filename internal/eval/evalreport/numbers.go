package evalreport

import (
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/eval/stats"
)

// none is the value of a question that has no value.
var none = math.NaN()

// values are the values of one condition by question: none where a question has no value.
type values []float64

// empty returns the values of questions of which none has one.
func empty(questions int) values {
	out := make(values, questions)
	for i := range out {
		out[i] = none
	}
	return out
}

// known returns the values of the questions that have one.
func (v values) known() []float64 {
	var out []float64
	for _, x := range v {
		if !isNone(x) {
			out = append(out, x)
		}
	}
	return out
}

// interval returns the mean of the values with its interval, and of how many questions it is.
func (v values) interval() (stats.Interval, int) {
	known := v.known()
	return stats.Bootstrap(known), len(known)
}

// mean returns 0 without values.
func mean(of []float64) float64 {
	sum := 0.
	for _, x := range of {
		sum += x
	}
	return sum / float64(max(1, len(of)))
}

// rounded removes the error of computing with thirds: differences that are equal have to be ties.
func rounded(difference float64) float64 { return math.Round(difference*1e9) / 1e9 }

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func isNone(x float64) bool { return math.IsNaN(x) }

// lostBy returns the scores of the other condition.
func (v values) lostBy() values {
	out := make(values, len(v))
	for i, score := range v {
		out[i] = winScore - score
	}
	return out
}

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }
