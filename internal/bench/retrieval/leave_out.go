package main

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
	"github.com/neorag/neorag/internal/query/rank"
)

// A row is what fused gains on a topic by weights that are best on the others.
type row struct {
	topic       string
	questions   int
	weights     rank.Features
	recall, mrr gain
}

// A gain is how much more a figure is than by BM25.
type gain struct {
	bm25     float64        // the figure itself
	left     stats.Interval // on the topic that was left out
	others   float64        // on the topics that the weights were chosen on
	defaults float64        // on the topic left out, with the default weights
	tuned    float64        // on the topic left out, with the best weights found on it for this figure alone
}

// share is the gain on the topic left out as a share of that on the others, 0 of none.
func (g gain) share() float64 {
	if g.others == 0 {
		return 0
	}
	return g.left.Mean / g.others
}

// leftOut leaves out each topic in turn. Weights are best by the sum of recall@5 and MRR. all is a
// row of all questions, each with the weights that were chosen without its topic.
func leftOut(topics []topic) (rows []row, all row) {
	both := func(m score.Metrics) float64 { return m.Recall5 + m.MRR }
	for i, t := range topics {
		others := slices.Concat(topics[:i], topics[i+1:])
		r := row{topic: t.name, questions: len(t.questions), weights: choose(others, both, equal)}
		r.recall, r.mrr = gainOn(t, others, r.weights, recall5), gainOn(t, others, r.weights, mrr)
		rows = append(rows, r)
	}
	return rows, together(topics, rows)
}

// together returns the means of rows over all questions.
func together(topics []topic, rows []row) row {
	all := row{topic: "all"}
	for _, r := range rows {
		all.questions += r.questions
	}
	over := func(f figure, of func(row) gain) (g gain) {
		var left []float64
		for i, r := range rows {
			left = append(left, differences(topics[i:i+1], r.weights, f)...)
			part, own := float64(r.questions)/float64(all.questions), of(r)
			g.bm25 += float64(part * own.bm25)
			g.others += float64(part * own.others)
			g.defaults += float64(part * own.defaults)
			g.tuned += float64(part * own.tuned)
		}
		g.left = stats.Bootstrap(left)
		return g
	}
	all.recall, all.mrr = over(recall5, row.ofRecall), over(mrr, row.ofMRR)
	return all
}

func (r row) ofRecall() gain { return r.recall }
func (r row) ofMRR() gain    { return r.mrr }

func gainOn(left topic, others []topic, weights rank.Features, f figure) gain {
	own := []topic{left}
	g := gain{
		left: stats.Bootstrap(differences(own, weights, f)), others: mean(differences(others, weights, f)),
		defaults: mean(differences(own, rank.DefaultFeatures, f)),
	}
	for _, q := range left.questions {
		g.bm25 += f(q.bm25) / float64(len(left.questions))
	}
	starts := append(drawn(), equal, weights, rank.DefaultFeatures)
	tuned := make([]float64, len(starts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, start := range starts {
		group.Go(func() error {
			tuned[i] = mean(differences(own, choose(own, f, start), f))
			return nil
		})
	}
	_ = group.Wait() // no search fails
	g.tuned = slices.Max(tuned)
	return g
}

// table returns the rows and the row of all questions as Markdown, and the weights that differ from
// equal ones.
func table(rows []row, all row) string {
	var b strings.Builder
	for _, f := range []struct {
		name string
		of   func(row) gain
	}{{"recall@5", row.ofRecall}, {"MRR", row.ofMRR}} {
		fmt.Fprintf(&b, "| topic left out | questions | %s by BM25 | gain of fused | two thirds of the others' | share | default weights | tuned on it |\n|---|---:|---:|---|---:|---:|---:|---:|\n", f.name)
		for _, r := range append(slices.Clip(rows), all) {
			g := f.of(r)
			fmt.Fprintf(&b, "| %s | %d | %.3f | %s (%s to %s) | %s | %.2f | %s | %s |\n", r.topic, r.questions, g.bm25,
				signed(g.left.Mean), signed(g.left.Low), signed(g.left.High), signed(g.others*2/3), rounded(g.share(), 2), signed(g.defaults), signed(g.tuned))
		}
		b.WriteString("\n")
	}
	b.WriteString("| topic left out | weights |\n|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s |\n", r.topic, changed(r.weights))
	}
	return b.String()
}

// signed is a difference with its sign, a plus for 0.
func signed(d float64) string { return fmt.Sprintf("%+.3f", rounded(d, 3)) }

// rounded rounds to some digits, and never to a negative 0.
func rounded(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	if v = math.Round(v*scale) / scale; v == 0 {
		return 0
	}
	return v
}

// changed lists the weights that differ from equal ones.
func changed(weights rank.Features) string {
	var out []string
	named, before := weights.Named(), equal
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if w := *named[name]; w != *before.Named()[name] {
			out = append(out, fmt.Sprintf("%s %g", name, w))
		}
	}
	return strings.Join(out, ", ")
}
