package stats

import (
	"math/rand/v2"
	"slices"
)

// An Interval is a mean, or a ratio of sums, with its 95 % percentile bootstrap interval. It is zero
// without values.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Apart reports whether 0 is outside the interval.
func (i Interval) Apart() bool { return i.Low > 0 || i.High < 0 }

// bootstrapRounds is how often the values are drawn.
const bootstrapRounds = 4000

// Bootstrap returns the mean of values, one of each question, with its percentile interval. It
// draws the same indexes whenever there are as many values, and so intervals of paired samples are
// comparable.
func Bootstrap(values []float64) Interval {
	ones := make([]float64, len(values))
	for i := range ones {
		ones[i] = 1
	}
	return BootstrapRatio(values, ones)
}

// BootstrapRatio returns the sum of parts divided by the sum of wholes, such as the citations with
// evidence of each question and all citations of it, with the percentile interval over questions.
// It is zero if the wholes sum up to 0.
func BootstrapRatio(parts, wholes []float64) Interval {
	n := len(parts)
	part, whole := 0., 0.
	for i := range parts {
		part, whole = part+parts[i], whole+wholes[i]
	}
	if whole == 0 {
		return Interval{}
	}
	draw := rand.New(rand.NewPCG(1, uint64(n))) //nolint:gosec // the draws need not be secret
	ratios := make([]float64, 0, bootstrapRounds)
	for range bootstrapRounds {
		p, w := 0., 0.
		for range n {
			i := draw.IntN(n)
			p, w = p+parts[i], w+wholes[i]
		}
		if w > 0 {
			ratios = append(ratios, p/w)
		}
	}
	slices.Sort(ratios)
	tail := len(ratios) * 25 / 1000
	return Interval{Mean: part / whole, Low: ratios[tail], High: ratios[len(ratios)-1-tail]}
}
