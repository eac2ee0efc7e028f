package evalreport

import (
	"fmt"
	"math"
	"strconv"

	"github.com/neorag/neorag/internal/eval/stats"
	"github.com/neorag/neorag/internal/text"
)

// A plot is an SVG of the page. Lengths are pixels.
type plot struct {
	Title         string
	Width, Height int
	Boxes         []box
	Lines         []line
	Dots          []dot
	Labels        []label
}

type box struct {
	X, Y, W, H  int
	Class, Hint string
	Opacity     string
}

type line struct {
	X1, Y1, X2, Y2 int
	Class          string
}

type dot struct {
	X, Y int
	Hint string
}

type label struct {
	X, Y         int
	Anchor, Text string
	Soft         bool
}

// Lengths of plots, in pixels.
const (
	nameWidth  = 190 // of the names of conditions
	cellWidth  = 48
	cellHeight = 26
	axisWidth  = 230
	margin     = 14
)

// maxLabel is how much of a name is shown, in characters.
const maxLabel = 27

// plots returns the plots of a report: win rates, their intervals, the intervals of accuracy, and
// quality by tokens.
func (r Report) plots() []plot {
	var out []plot
	for _, m := range r.Matrices() {
		out = append(out, m.plot())
	}
	for _, m := range r.Matrices() {
		var bars []bar
		for _, p := range m.pairs {
			if p.Questions > 0 {
				bars = append(bars, bar{p.First + " over " + p.Second, p.Score})
			}
		}
		out = append(out, intervalPlot("Win rates with intervals, "+m.Criterion+", "+m.Judge, bars, tieScore)...)
	}
	for _, group := range grouped(r.Accuracy, func(a Accuracy) string { return a.Judge }) {
		var bars []bar
		for _, a := range group {
			bars = append(bars, bar{a.Condition, scaled(a.All.Interval)})
		}
		out = append(out, intervalPlot("Accuracy, %, "+group[0].Judge, bars, 0)...)
	}
	for _, group := range grouped(r.Evidence, func(e Evidence) string { return e.Judge }) {
		var bars []bar
		for _, e := range group {
			bars = append(bars, bar{e.Condition + ", precision", scaled(e.Precision)}, bar{e.Condition + ", recall", scaled(e.Recall)})
		}
		out = append(out, intervalPlot("Citations, %, "+group[0].Judge, bars, 0)...)
	}
	for _, f := range comparedMetrics {
		var bars []bar
		for _, s := range r.Retrieval {
			bars = append(bars, bar{s.Name, scaled(s.interval(f.of))})
		}
		out = append(out, intervalPlot("Retrieval, "+f.name+", %", bars, 0)...)
	}
	return append(out, r.costPlots()...)
}

// scaled returns a share in percent.
func scaled(i stats.Interval) stats.Interval {
	return stats.Interval{Mean: 100 * i.Mean, Low: 100 * i.Low, High: 100 * i.High}
}

// plot draws the matrix: the more a cell differs from a tie, the stronger its colour.
func (m Matrix) plot() plot {
	n := len(m.Names)
	p := plot{Title: "Win rates of row over column, " + m.Criterion + ", " + m.Judge, Width: nameWidth + n*cellWidth + margin, Height: (n+1)*cellHeight + 2*margin}
	for i, name := range m.Names {
		y := margin + (i+1)*cellHeight
		p.Labels = append(p.Labels,
			label{nameWidth - 8, y + cellHeight - 8, "end", fmt.Sprintf("%s  %d", shortName(name), i+1), false},
			label{nameWidth + i*cellWidth + cellWidth/2, margin + cellHeight - 8, "middle", strconv.Itoa(i + 1), true})
		for j, rate := range m.Rates[i] {
			if isNone(rate) {
				continue
			}
			b := box{X: nameWidth + j*cellWidth, Y: y, W: cellWidth - 2, H: cellHeight - 2, Class: "win", Hint: fmt.Sprintf("%s over %s: %.1f", oneLine(name), oneLine(m.Names[j]), rate)}
			if rate < tieScore {
				b.Class = "loss"
			}
			b.Opacity = fmt.Sprintf("%.2f", .04+.7*math.Abs(rate-tieScore)/tieScore)
			p.Boxes = append(p.Boxes, b)
			p.Labels = append(p.Labels, label{b.X + cellWidth/2, y + cellHeight - 8, "middle", fmt.Sprintf("%.0f", rate), false})
		}
	}
	return p
}

func shortName(name string) string { return text.Shorten(oneLine(name), maxLabel) }

// A bar is a figure from 0 to 100 with its interval.
type bar struct {
	name string
	stats.Interval
}

// intervalPlot draws figures with their intervals, with a line at middle. Without figures there is
// nothing to draw.
func intervalPlot(title string, bars []bar, middle float64) []plot {
	if len(bars) == 0 {
		return nil
	}
	const left = nameWidth + 80
	at := func(x float64) int { return left + int(math.Round(x/100*axisWidth)) }
	p := plot{Title: title, Width: left + axisWidth + 3*margin, Height: len(bars)*cellHeight + cellHeight + 2*margin}
	bottom := margin + len(bars)*cellHeight
	for x := 0.; x <= 100; x += 25 {
		class := "axis"
		if x == middle && x > 0 {
			class = "middle"
		}
		p.Lines = append(p.Lines, line{at(x), margin, at(x), bottom, class})
		p.Labels = append(p.Labels, label{at(x), bottom + 18, "middle", fmt.Sprintf("%.0f", x), true})
	}
	for i, b := range bars {
		y := margin + i*cellHeight + cellHeight/2
		p.Labels = append(p.Labels, label{left - 10, y + 4, "end", text.Shorten(oneLine(b.name), 2*maxLabel-12), false})
		p.Lines = append(p.Lines, line{at(b.Low), y, at(b.High), y, "range"})
		p.Dots = append(p.Dots, dot{at(b.Mean), y, oneLine(b.name) + ": " + interval(b.Interval, 1)})
	}
	return []plot{p}
}
