package neo4jstore

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// A Plan is how the server would run a statement.
type Plan struct {
	Text  string // the server's own table
	Steps []PlanStep
}

// A PlanStep is one operator of a plan. Those that feed it follow it, deeper by
// one where there are several.
type PlanStep struct {
	Depth    int     `json:"depth"`
	Operator string  `json:"operator"`
	Details  string  `json:"details"`
	Rows     float64 `json:"estimated_rows"`
}

var (
	// options are what must stand before EXPLAIN.
	options = regexp.MustCompile(`^(?i)\s*CYPHER(\s+(\d+|\w+\s*=\s*\w+))*\s`)
	// mode is what EXPLAIN takes the place of.
	mode = regexp.MustCompile(`^(?i)\s*(EXPLAIN|PROFILE)\s`)
)

// explained is the statement under EXPLAIN, on a line of its own, so that the
// server shows a person the line that was written.
func explained(text string) string {
	at := len(options.FindString(text))
	rest := text[at:]
	return text[:at] + "EXPLAIN\n" + rest[len(mode.FindString(rest)):]
}

// explain plans a statement and says of which type it is.
func explain(ctx context.Context, tx neo4j.ExplicitTransaction, q UserQuery) (Plan, neo4j.StatementType, error) {
	result, err := tx.Run(ctx, explained(q.Text), q.Params)
	if err != nil {
		return Plan{}, neo4j.StatementTypeUnknown, err
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return Plan{}, neo4j.StatementTypeUnknown, err
	}
	if summary.Plan() == nil {
		return Plan{}, summary.StatementType(), nil
	}
	// The driver (5.28) gives an operator with two sources the second one
	// twice, so the plan is read out of the server's table.
	text, _ := summary.Plan().Arguments()["string-representation"].(string)
	return Plan{Text: strings.TrimSpace(text), Steps: planSteps(text)}, summary.StatementType(), nil
}

// planSteps reads the table of a plan. A cell that is too long goes on in the
// next line, where the columns of operator and id are empty.
func planSteps(text string) []PlanStep {
	var bounds []int
	var names []string
	var steps []PlanStep
	for line := range strings.Lines(text) {
		line := []rune(strings.TrimRight(line, "\r\n"))
		switch {
		case len(line) == 0 || line[0] != '+' && line[0] != '|':
			continue
		case line[0] == '+':
			if bounds == nil {
				for i, r := range line {
					if r == '+' {
						bounds = append(bounds, i)
					}
				}
			}
			continue
		}
		cells := cut(line, bounds)
		if names == nil {
			names = cells
			continue
		}
		steps = planStep(steps, names, cells)
	}
	return steps
}

// cut takes a line apart at the bounds of its columns. A line between two rows
// has none.
func cut(line []rune, bounds []int) []string {
	var cells []string
	for i := 1; i < len(bounds); i++ {
		if bounds[i] >= len(line) || line[bounds[i]] != '|' {
			return nil
		}
		cells = append(cells, string(line[bounds[i-1]+1:bounds[i]]))
	}
	return cells
}

func planStep(steps []PlanStep, names, cells []string) []PlanStep {
	tree, operator, begins := "", "", false
	if len(cells) > 0 {
		tree, operator, begins = strings.Cut(cells[0], "+")
	}
	if begins {
		steps = append(steps, PlanStep{Depth: strings.Count(tree, "|"), Operator: strings.TrimSpace(operator)})
	}
	if len(steps) == 0 {
		return steps
	}
	step := &steps[len(steps)-1]
	for i, cell := range cells {
		switch cell = strings.TrimSpace(cell); strings.TrimSpace(names[i]) {
		case "Details":
			step.Details = strings.TrimSpace(step.Details + " " + cell)
		case "Estimated Rows":
			if n, err := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64); err == nil {
				step.Rows = n
			}
		}
	}
	return steps
}
