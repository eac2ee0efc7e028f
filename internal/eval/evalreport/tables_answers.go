package evalreport

import (
	"fmt"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
	"github.com/neorag/neorag/internal/text"
)

func conditionTables(r Report) []Table {
	t := Table{Title: "Conditions", Head: []string{"condition", "corpus", "state", "model", "prompts", "version", "answers", "failed", "missing"}, Text: 6, Notes: r.notes}
	for _, c := range r.Conditions {
		t.Rows = append(t.Rows, row(c.Name, c.Condition.Corpus, abbreviated(c.Condition.State), c.Condition.Model, abbreviated(c.Condition.Prompts), c.Condition.Version,
			number(float64(c.Answers), 0), number(float64(c.Failed), 0), number(float64(c.Missing), 0)))
	}
	return []Table{t}
}

// grouped returns the parts of a list that have the same key, such as the judge or extractor that made
// figures, in order.
func grouped[T any, K comparable](list []T, key func(T) K) [][]T {
	var out [][]T
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && key(list[to]) == key(list[from]) {
			to++
		}
		out = append(out, list[from:to])
		from = to
	}
	return out
}

func accuracyTables(r Report) []Table {
	var out []Table
	for _, group := range grouped(r.Accuracy, func(a Accuracy) string { return a.Judge }) {
		types := r.typesOf(group)
		t := Table{Title: accuracyTitle(group[0].Judge), Head: []string{"condition", "questions", "overall"}, Text: 1}
		for _, name := range types {
			t.Head = append(t.Head, fmt.Sprintf("%s (%d)", name, mostQuestions(group, name)))
		}
		failed := 0
		best := bestAccuracy(group)
		for i, a := range group {
			failed += a.All.Failed
			cells := []Cell{{Text: a.Condition}, {Text: number(float64(a.All.Questions), 0)}, {Text: percentInterval(a.All.Interval), Bold: i == best}}
			for _, name := range types {
				c := Cell{}
				if s, ok := a.ByType[name]; ok {
					c.Text = percentInterval(s.Interval)
				}
				cells = append(cells, c)
			}
			t.Rows = append(t.Rows, cells)
		}
		t.Notes = append([]string{
			judgedBy(group[0].Judge) + ` "Insufficient information" is right for questions of the type null. Intervals are of a bootstrap over questions.`,
		}, notEmpty(counted(failed, "answer or verdict failed and counts as wrong.", "answers or verdicts failed and count as wrong."))...)
		out = append(out, t)
	}
	return out
}

func accuracyTitle(judge string) string {
	if judge == score.Rules {
		return "Accuracy by rules"
	}
	return "Accuracy"
}

// judgedBy says what decided on accuracy.
func judgedBy(judge string) string {
	if judge == score.Rules {
		return "By rules, without a judge: an answer, also a constant one, is correct if it holds four fifths of the words of the known one, or declines rightly."
	}
	return "Judge: " + judge + ". A constant answer is right if it is the known one."
}

// typesOf returns the types of questions that figures have, in the order of a report.
func (r Report) typesOf(group []Accuracy) []string {
	var out []string
	for _, name := range r.types {
		if mostQuestions(group, name) > 0 {
			out = append(out, name)
		}
	}
	return out
}

func mostQuestions(group []Accuracy, name string) int {
	n := 0
	for _, a := range group {
		n = max(n, a.ByType[name].Questions)
	}
	return n
}

// bestAccuracy returns the index of the highest accuracy.
func bestAccuracy(group []Accuracy) int {
	best := 0
	for i, a := range group {
		if a.All.Mean > group[best].All.Mean {
			best = i
		}
	}
	return best
}

func evidenceTables(r Report) []Table {
	quoted := Table{
		Title: "Quotes", Head: []string{"condition", "answers", "statements", "with a reference", "citations", "with a quote", "coverage"}, Text: 1,
		Notes: []string{"Without a judge: shares of the statements with a reference, of the citations with a quote, and of the terms of a statement that its quotes hold."},
	}
	for _, q := range r.Quoted {
		quoted.Rows = append(quoted.Rows, row(q.Condition, number(float64(q.Answers), 0), number(float64(q.Statements), 0), percentInterval(q.Referenced),
			number(float64(q.Citations), 0), percentInterval(q.Quoted), percentInterval(q.Coverage)))
	}
	out := []Table{quoted}
	for _, group := range grouped(r.Evidence, func(e Evidence) string { return e.Judge }) {
		t := Table{
			Title: "Evidence", Head: []string{"condition", "answers", "statements", "citations", "citation precision", "partly", "citation recall", "failed"}, Text: 1,
			Notes: []string{"Precision: share of the citations whose quote supports all of its statement; partly: a part of it. Recall: share of the statements that their quotes support together. Judge: " + group[0].Judge + "."},
		}
		for _, e := range group {
			t.Rows = append(t.Rows, row(e.Condition, number(float64(e.Answers), 0), number(float64(e.Statements), 0), number(float64(e.Citations), 0),
				percentInterval(e.Precision), percent(e.Partly.Mean), percentInterval(e.Recall), number(float64(e.Failed), 0)))
		}
		out = append(out, t)
	}
	return out
}

func claimTables(r Report) []Table {
	var out []Table
	for _, group := range grouped(r.Claims, func(c ClaimCount) string { return c.Extractor }) {
		t := Table{
			Title: "Claims", Head: []string{"condition", "answers", "failed", "claims of an answer"}, Text: 1,
			Notes: []string{"Means over answers of different claims, and of clusters of claims by complete linkage on 1 - ROUGE-L. Bold: highest. What failed counts as an answer without claims. Extractor: " + group[0].Extractor + "."},
		}
		for _, c := range group[0].Clusters {
			t.Head = append(t.Head, fmt.Sprintf("clusters at %.1f", c.Threshold))
		}
		best := make([]float64, len(t.Head))
		for _, c := range group {
			for i, x := range c.figures() {
				best[i] = max(best[i], x.Mean)
			}
		}
		for _, c := range group {
			cells := row(c.Condition, number(float64(c.Answers), 0), number(float64(c.Failed), 0))
			for i, x := range c.figures() {
				cells = append(cells, Cell{Text: interval(x, 2), Bold: x.Mean == best[i]})
			}
			t.Rows = append(t.Rows, cells)
		}
		out = append(out, t)
	}
	return out
}

// figures returns the numbers of claims and of clusters.
func (c ClaimCount) figures() []stats.Interval {
	out := []stats.Interval{c.Claims}
	for _, n := range c.Clusters {
		out = append(out, n.Interval)
	}
	return out
}

// maxError is how much of an error is shown, in characters.
const maxError = 300

func failureTables(r Report) []Table {
	t := Table{Title: "Failures", Head: []string{"kind", "error", "cells"}, Text: 2, Notes: []string{"The same commands try these cells again."}}
	for _, f := range r.Failures {
		t.Rows = append(t.Rows, row(f.Kind, text.Shorten(oneLine(f.Error), maxError), number(float64(f.Cells), 0)))
	}
	return []Table{t}
}
