package usercypher

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A Plan is the plan of a statement, which says how the server would run it.
type Plan struct {
	Text  string     // the table that the server prints
	Steps []PlanStep // nil if the table has an unknown form
}

// A PlanStep is an operator of a plan. Its inputs follow it; if there are several, all but
// one of them are one level deeper.
type PlanStep struct {
	Depth    int     `json:"depth"`
	Operator string  `json:"operator"`
	Details  string  `json:"details"`
	Rows     float64 `json:"estimated_rows"`
}

// Explain returns the plan of a statement, which is not run.
func Explain(ctx context.Context, run RunFunc, q Query) (Plan, error) {
	table, err := explainTable(ctx, run, q)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Text: strings.TrimSpace(table)}
	plan.Steps, _ = parsePlanTable(table) // the text is there in any case
	return plan, nil
}

var (
	// cypherOptions are the options that must come before EXPLAIN.
	cypherOptions = regexp.MustCompile(`^(?i)\s*CYPHER(\s+(\d+|\w+\s*=\s*\w+))*\s`)
	// executionMode is replaced by EXPLAIN.
	executionMode = regexp.MustCompile(`^(?i)\s*(EXPLAIN|PROFILE)\s`)
)

// explainText adds EXPLAIN to a statement, on a separate line, so that an error of the
// server shows the line that the user wrote.
func explainText(text string) string {
	at := len(cypherOptions.FindString(text))
	rest := text[at:]
	return text[:at] + "EXPLAIN\n" + rest[len(executionMode.FindString(rest)):]
}

// explainTable returns the table that the server prints of the plan of a statement, "" if there
// is none. The table is used because the plan tree of the driver (5.28) contains the
// second input of an operator twice instead of both.
func explainTable(ctx context.Context, run RunFunc, q Query) (string, error) {
	result, err := run(ctx, explainText(q.Text), q.Params)
	if err != nil {
		return "", err
	}
	summary, err := result.Consume(ctx)
	if err != nil || summary.Plan() == nil {
		return "", err
	}
	table, _ := summary.Plan().Arguments()["string-representation"].(string)
	return table, nil
}

// Columns of a plan table.
const (
	operatorColumn = "Operator"
	idColumn       = "Id"
	detailsColumn  = "Details"
	rowsColumn     = "Estimated Rows"
)

// planColumns are the columns that servers print.
var planColumns = []string{
	operatorColumn, idColumn, detailsColumn, rowsColumn, "Rows", "DB Hits", "Memory (Bytes)", "Page Cache Hits/Misses", "Time (ms)", "Ordered by", "Pipeline",
}

// parsePlanTable parses the operators in the table that the server prints of a plan. A
// text that is not such a table is an error, and so is any line of the table that cannot
// be parsed: Check must see every operator.
//
// A table consists of a header and rows between three borders of + and -. All lines have
// the same width in UTF-16 units. A row with a long cell continues on the next line,
// where the columns of operator and id are empty.
func parsePlanTable(text string) ([]PlanStep, error) {
	var t planTable
	for line := range strings.Lines(text) {
		if err := t.line(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, fmt.Errorf("%w: %q", err, line)
		}
	}
	if t.borders != 3 || len(t.steps) == 0 {
		return nil, errors.New("no table of operators")
	}
	return t.steps, nil
}

// planTable is the state of parsePlanTable.
type planTable struct {
	borders int
	bounds  []int // positions of + in a border
	columns []string
	steps   []PlanStep
	full    bool // the last line of Details fills its cell
}

func (t *planTable) line(line string) error {
	units := utf16.Encode([]rune(line))
	begin := ""
	if len(line) > 0 {
		begin = line[:1]
	}
	open := t.borders == 1 || t.borders == 2
	switch {
	case begin == "+":
		return t.border(units)
	case begin == "|" && open && t.isSeparator(units):
		return nil
	case begin == "|" && open:
		return t.row(units)
	case begin == "|" || open:
		return errors.New("line outside the table")
	}
	return nil // text before and after the table
}

// border parses a line of + and -.
func (t *planTable) border(units []uint16) error {
	var bounds []int
	for i, u := range units {
		switch u {
		case '+':
			bounds = append(bounds, i)
		case '-':
		default:
			return errors.New("invalid border")
		}
	}
	t.borders++
	switch {
	case t.borders == 1:
		t.bounds = bounds
	case t.borders > 3 || !slices.Equal(t.bounds, bounds) || t.columns == nil:
		return errors.New("unexpected border")
	}
	return nil
}

// isSeparator reports whether a line is one between two rows: a part of it is a border,
// and there is nothing else in it but the branches in the first column.
func (t *planTable) isSeparator(units []uint16) bool {
	if t.borders != 2 || !slices.Contains(units, '+') || len(units) != t.bounds[len(t.bounds)-1]+1 {
		return false
	}
	for i, u := range units[t.bounds[1]:] {
		at := t.bounds[1] + i
		_, bound := slices.BinarySearch(t.bounds, at)
		if bound && u != '+' && u != '|' || !bound && u != '-' && u != ' ' {
			return false
		}
	}
	return isTree(string(utf16.Decode(units[1:t.bounds[1]])))
}

// isTree reports whether text contains only the branches of a plan.
func isTree(text string) bool { return strings.Trim(text, `|\ `) == "" }

// row parses the header, a row, or the continuation of a row.
func (t *planTable) row(units []uint16) error {
	cells := make([]string, 0, len(t.bounds))
	for i, end := range t.bounds {
		if end >= len(units) || units[end] != '|' {
			return errors.New("columns out of place")
		}
		if i == 0 {
			continue
		}
		cell := units[t.bounds[i-1]+1 : end]
		if len(cell) < 2 || cell[0] != ' ' || cell[len(cell)-1] != ' ' {
			return errors.New("column without margin")
		}
		cells = append(cells, string(utf16.Decode(cell[1:len(cell)-1])))
	}
	if len(units) != t.bounds[len(t.bounds)-1]+1 {
		return errors.New("line too long")
	}
	if t.borders == 1 {
		return t.header(cells)
	}
	return t.cells(cells)
}

func (t *planTable) header(cells []string) error {
	if t.columns != nil {
		return errors.New("second header")
	}
	for _, cell := range cells {
		name := strings.TrimSpace(cell)
		if !slices.Contains(planColumns, name) || slices.Contains(t.columns, name) {
			return fmt.Errorf("unknown column %q", name)
		}
		t.columns = append(t.columns, name)
	}
	if len(t.columns) < 2 || t.columns[0] != operatorColumn || t.columns[1] != idColumn {
		return errors.New("unknown header")
	}
	return nil
}

// cells adds the cells of a row.
func (t *planTable) cells(cells []string) error {
	tree, operator, begins := strings.Cut(cells[0], "+")
	operator = strings.TrimSpace(operator)
	id := strings.TrimSpace(cells[1])
	switch _, err := strconv.Atoi(id); {
	case !isTree(tree):
		return errors.New("invalid operator")
	case begins:
		if operator == "" || err != nil {
			return errors.New("invalid operator")
		}
		t.steps = append(t.steps, PlanStep{Depth: strings.Count(tree, "|"), Operator: operator})
	case id != "" || len(t.steps) == 0:
		return errors.New("row without operator")
	}
	step := &t.steps[len(t.steps)-1]
	for i, cell := range cells {
		switch t.columns[i] {
		case detailsColumn:
			t.details(step, cell)
		case rowsColumn:
			if n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(cell), ",", ""), 64); err == nil {
				step.Rows = n
			}
		}
	}
	return nil
}

// details adds a line to the details of a step. The server breaks long lines anywhere,
// also within a word.
func (t *planTable) details(step *PlanStep, cell string) {
	text := strings.TrimRight(cell, " ")
	switch {
	case step.Details == "" || !t.full:
		step.Details = strings.TrimSpace(step.Details + " " + strings.TrimLeft(text, " "))
	default:
		step.Details += text
	}
	t.full = len(text) == len(cell)
}
