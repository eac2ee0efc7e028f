package evalreport

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/stats"
)

// Table returns the comparison as a table. Figures that stayed the same are left out unless all are
// asked for.
func (c Comparison) Table(all bool) Table {
	t := Table{
		Title: "Old and new", Head: []string{"condition", "figure", "judge", "outcome", "questions", "old", "new", "difference", "p corrected"}, Text: 4,
		Notes: []string{fmt.Sprintf("%d better, %d worse, %d missing, %d the same. Better or worse: 0 is outside the interval of the paired difference, and p of a permutation test, corrected for all figures of quality or of cost by Holm-Bonferroni, is below 0.05.",
			c.Better, c.Worse, c.Missing, len(c.Figures)-c.Better-c.Worse-c.Missing)},
	}
	for _, f := range c.Figures {
		if f.Outcome == OutcomeSame && !all {
			continue
		}
		outcome := Cell{Text: f.Outcome, Bold: f.Outcome != OutcomeSame}
		if f.Lacking > 0 {
			outcome.Text += fmt.Sprintf(", %d questions only in the old", f.Lacking)
		}
		cells := append(row(f.Condition, f.Figure, f.Judge), outcome)
		numbers := row(number(float64(f.Questions), 0), "", "", "", "")
		if f.Questions > 0 {
			decimals := decimalsOf(f.Old)
			numbers = row(number(float64(f.Questions), 0), number(f.Old, decimals), number(f.New, decimals), signed(f.Difference, decimals), pValue(f.P))
		}
		t.Rows = append(t.Rows, append(cells, numbers...))
	}
	return t
}

// decimalsOf returns how many decimals figures of this size are shown with.
func decimalsOf(x float64) int {
	switch {
	case x > 1000:
		return 0
	case x > 1:
		return 1
	}
	return 3
}

// signed formats a difference with its interval.
func signed(i stats.Interval, decimals int) string {
	sign := func(x float64) string {
		if s := number(x, decimals); strings.HasPrefix(s, "-") {
			return s
		}
		return "+" + number(x, decimals)
	}
	return fmt.Sprintf("%s (%s to %s)", sign(i.Mean), sign(i.Low), sign(i.High))
}
