package evalreport

import (
	"fmt"
	"math"
	"slices"
)

// A Matrix is the win rates of one judge and criterion: of the condition of a row over the condition
// of a column, from 0 to 100 (GraphRAG, figure 2).
type Matrix struct {
	Judge, Criterion string
	Names            []string    // of the conditions
	Rates            [][]float64 // none where two conditions were not compared, 50 on the diagonal
	Best             int         // with the highest mean over the others, -1 without one
	pairs            []ConditionPair
}

// Matrices returns the win rates by judge and criterion.
func (r Report) Matrices() []Matrix {
	var out []Matrix
	for _, pairs := range grouped(r.Pairs, ConditionPair.family) {
		out = append(out, r.matrix(pairs))
	}
	return out
}

// matrix returns the win rates of the pairs of one judge and criterion.
func (r Report) matrix(pairs []ConditionPair) Matrix {
	m := Matrix{Judge: pairs[0].Judge, Criterion: pairs[0].Criterion, Best: -1, pairs: pairs}
	for _, c := range r.Conditions {
		if slices.ContainsFunc(pairs, func(p ConditionPair) bool { return p.First == c.Name || p.Second == c.Name }) {
			m.Names = append(m.Names, c.Name)
		}
	}
	for i := range m.Names {
		m.Rates = append(m.Rates, empty(len(m.Names)))
		m.Rates[i][i] = tieScore
	}
	for _, p := range pairs {
		if a, b := slices.Index(m.Names, p.First), slices.Index(m.Names, p.Second); p.Questions > 0 {
			m.Rates[a][b], m.Rates[b][a] = p.Score.Mean, winScore-p.Score.Mean
		}
	}
	best := tieScore
	for i := range m.Names {
		if mean := m.Mean(i); mean > best {
			best, m.Best = mean, i
		}
	}
	return m
}

// Mean returns the mean win rate of a condition over the others, none if it was not compared.
func (m Matrix) Mean(i int) float64 {
	sum, n := 0., 0.
	for j, rate := range m.Rates[i] {
		if j != i && !isNone(rate) {
			sum, n = sum+rate, n+1
		}
	}
	return sum / n
}

// notes returns what failed or is incomplete among the judgements.
func (m Matrix) notes() []string {
	failed, oneOrder := 0, 0
	for _, p := range m.pairs {
		failed, oneOrder = failed+p.Failed, oneOrder+p.OneOrder
	}
	return notEmpty(
		counted(failed, "judgement failed: nobody won it, and it is in no mean.", "judgements failed: nobody won them, and they are in no mean."),
		counted(oneOrder, "comparison of two answers was judged in one order only.", "comparisons of two answers were judged in one order only."),
	)
}

func winRateTables(r Report) []Table {
	var out []Table
	for _, m := range r.Matrices() {
		t := Table{Title: "Win rates, " + m.Criterion, Head: append([]string{"row over column, %"}, m.Names...), Text: 1, Notes: append([]string{
			"Win 100, tie 50, loss 0; means over replicates, orders and " + questionsOf(m.pairs) + ". Bold: highest mean over the others. Judge: " + m.Judge + ".",
		}, m.notes()...)}
		for i, name := range m.Names {
			cells := []Cell{{Text: name, Bold: i == m.Best}}
			for _, rate := range m.Rates[i] {
				c := Cell{Bold: i == m.Best}
				if !isNone(rate) {
					c.Text = fmt.Sprintf("%.0f", rate)
				}
				cells = append(cells, c)
			}
			t.Rows = append(t.Rows, cells)
		}
		out = append(out, t)
	}
	return out
}

// questionsOf returns how many questions pairs were compared on.
func questionsOf(pairs []ConditionPair) string {
	least, most := math.MaxInt, 0
	for _, p := range pairs {
		least, most = min(least, p.Questions), max(most, p.Questions)
	}
	if least < most {
		return fmt.Sprintf("%d to %d questions", least, most)
	}
	return counted(most, "question", "questions")
}

func significanceTables(r Report) []Table {
	t := Table{
		Title: "Pairwise comparisons",
		Head:  []string{"criterion", "condition 1", "condition 2", "questions", "mean 1", "mean 2", "interval of mean 1", "Z", "p", "p corrected", "p permutation", "W", "p of W"}, Text: 3,
		Notes: []string{
			"Wilcoxon signed-rank test of the scores of both conditions by question: equal scores are left out, p is exact for up to 50 others. Z is computed from the smaller sum of ranks, without correction for continuity.",
			"Corrected by Holm-Bonferroni for the pairs of each criterion; bold below 0.05. Permutation: test of single judgements, with questions as clusters, not corrected.",
			"W: Shapiro-Wilk test of the differences; where its p is small, they are not normally distributed, and a t-test would not hold.",
		},
	}
	judges := map[string]bool{}
	failed := 0
	for _, p := range r.Pairs {
		judges[p.Judge] = true
		failed += p.Failed
	}
	for _, p := range r.Pairs {
		w, wp := "", ""
		if p.Shapiro != nil {
			w, wp = fmt.Sprintf("%.3f", p.Shapiro.W), pValue(p.Shapiro.P)
		}
		criterion := p.Criterion
		if len(judges) > 1 {
			criterion += " (" + p.Judge + ")"
		}
		cells := row(criterion, p.First, p.Second, number(float64(p.Questions), 0), "", "", "", "", "", "", "", w, wp)
		if p.Questions > 0 {
			for i, s := range []string{
				fmt.Sprintf("%.2f", p.Score.Mean), fmt.Sprintf("%.2f", winScore-p.Score.Mean), fmt.Sprintf("%.1f to %.1f", p.Score.Low, p.Score.High),
				fmt.Sprintf("%.2f", zero(-math.Abs(p.Wilcoxon.Z))), pValue(p.Wilcoxon.P), pValue(p.Holm), pValue(p.Permutation.P),
			} {
				cells[4+i].Text = s
			}
			cells[9].Bold = p.Holm < significant
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Notes = append(t.Notes, notEmpty(counted(failed, "judgement failed and is in no mean.", "judgements failed and are in no mean."))...)
	return []Table{t}
}

// zero returns 0 for -0.
func zero(x float64) float64 { return x + 0 }

// lightRAGTables have a table for each condition next to the one that all are compared with, in
// percent (LightRAG, table 1).
func lightRAGTables(r Report) []Table {
	var out []Table
	for _, c := range r.Conditions {
		if c.Name == r.Against {
			continue
		}
		t := Table{Title: "Win rates of " + c.Name + " and " + r.Against, Head: []string{"criterion", c.Name, r.Against}, Text: 1}
		judges := map[string]bool{}
		overall, failed := false, 0
		for _, p := range r.Pairs {
			first := p.Score.Mean
			switch {
			case p.Questions == 0:
				continue
			case p.Second == c.Name && p.First == r.Against:
				first = winScore - first
			case p.First != c.Name || p.Second != r.Against:
				continue
			}
			judges[p.Judge] = true
			overall, failed = overall || p.Criterion == criterionOverall, failed+p.Failed
			t.Rows = append(t.Rows, []Cell{
				{Text: p.Criterion},
				{Text: fmt.Sprintf("%.2f %%", first), Bold: first > tieScore},
				{Text: fmt.Sprintf("%.2f %%", winScore-first), Bold: first < tieScore},
			})
			if len(judges) > 1 {
				t.Rows[len(t.Rows)-1][0].Text += " (" + p.Judge + ")"
			}
		}
		t.Notes = notEmpty("A tie counts as half a win of each.", counted(failed, "judgement failed and is in no mean.", "judgements failed and are in no mean."))
		if !overall {
			t.Notes = append(t.Notes, `The criterion "overall" was not judged.`)
		}
		out = append(out, t)
	}
	return out
}

func agreementTables(r Report) []Table {
	t := Table{Title: "Agreement of judges", Head: []string{"between", "criterion", "items", "agreed", "kappa"}, Text: 2, Notes: []string{
		"Cohen's kappa is 1 for full agreement and 0 for as much as by chance. Judges are compared by the label of the majority of their judgements; if it is not a tie, it is compared with which answer has more claims.",
	}}
	for _, a := range r.Agreement {
		kappa := ""
		if a.Kappa != nil {
			kappa = fmt.Sprintf("%.2f", *a.Kappa)
		}
		t.Rows = append(t.Rows, row(a.Of, a.Criterion, number(float64(a.Items), 0), percent(a.Agreed), kappa))
	}
	return []Table{t}
}
