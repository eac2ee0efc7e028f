package evalreport

import (
	"fmt"
	"math"
)

// A costPoint is a condition by its tokens and its quality, from 0 to 100.
type costPoint struct {
	name            string
	tokens, quality float64
}

// costPlots draw accuracy and win rates by the tokens of a question.
func (r Report) costPlots() []plot {
	tokens := map[string]float64{}
	for _, c := range r.Costs {
		tokens[c.Condition] = c.TokensIn + c.TokensOut
	}
	var out []plot
	add := func(title string, points []costPoint) {
		var known []costPoint
		for _, p := range points {
			if p.tokens = tokens[p.name]; p.tokens > 0 && !isNone(p.quality) {
				known = append(known, p)
			}
		}
		if len(known) > 1 {
			out = append(out, costPlot(title, known))
		}
	}
	for _, group := range grouped(r.Accuracy, func(a Accuracy) string { return a.Judge }) {
		var points []costPoint
		for _, a := range group {
			points = append(points, costPoint{name: a.Condition, quality: 100 * a.All.Mean})
		}
		add("Accuracy, %, by tokens of a question, "+group[0].Judge, points)
	}
	for _, m := range r.Matrices() {
		var points []costPoint
		for i, name := range m.Names {
			points = append(points, costPoint{name: name, quality: m.Mean(i)})
		}
		add("Mean win rate by tokens of a question, "+m.Criterion+", "+m.Judge, points)
	}
	return out
}

// costPlot draws points on a logarithmic axis of tokens.
func costPlot(title string, points []costPoint) plot {
	const left, width, height = 44, 370, 220
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, math.Log10(p.tokens)), max(high, math.Log10(p.tokens))
	}
	low, high = math.Floor(low), max(math.Ceil(high), math.Floor(low)+1)
	x := func(tokens float64) int {
		return left + int(math.Round((math.Log10(tokens)-low)/(high-low)*width))
	}
	y := func(quality float64) int { return margin + int(math.Round((1-quality/100)*height)) }
	p := plot{Title: title, Width: left + width + 130, Height: height + 3*margin + 16}
	for q := 0.; q <= 100; q += 25 {
		p.Lines = append(p.Lines, line{left, y(q), left + width, y(q), "axis"})
		p.Labels = append(p.Labels, label{left - 8, y(q) + 4, "end", fmt.Sprintf("%.0f", q), true})
	}
	for e := low; e <= high; e++ {
		at := x(math.Pow(10, e))
		p.Lines = append(p.Lines, line{at, margin, at, margin + height, "axis"})
		p.Labels = append(p.Labels, label{at, margin + height + 18, "middle", number(math.Pow(10, e), 0), true})
	}
	for _, point := range points {
		p.Dots = append(p.Dots, dot{x(point.tokens), y(point.quality), fmt.Sprintf("%s: %s tokens, %.1f", oneLine(point.name), number(point.tokens, 0), point.quality)})
		p.Labels = append(p.Labels, label{x(point.tokens) + 8, y(point.quality) + 4, "start", shortName(point.name), false})
	}
	return p
}
