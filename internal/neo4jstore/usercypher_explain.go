package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// A Plan is how the server would run a statement.
type Plan struct {
	Text  string     // the server's own table
	Steps []PlanStep // nil when the table has an unknown form
}

// A PlanStep is one operator of a plan. The operators that feed it follow it;
// when there are several, all but one of them are one level deeper.
type PlanStep struct {
	Depth    int     `json:"depth"`
	Operator string  `json:"operator"`
	Details  string  `json:"details"`
	Rows     float64 `json:"estimated_rows"`
}

// Explain returns how the server would run a statement of a user. It runs
// nothing, so statements that write are explained too.
func (s *Store) Explain(ctx context.Context, q UserQuery) (Plan, error) {
	var plan Plan
	err := s.userTransaction(ctx, q, func(tx neo4j.ExplicitTransaction) error {
		table, err := explain(ctx, tx.Run, q)
		if err != nil {
			return err
		}
		plan.Text = strings.TrimSpace(table)
		plan.Steps, _ = parsePlanTable(table) // people read the text
		return nil
	})
	return plan, err
}

var (
	// cypherOptions must stand before EXPLAIN.
	cypherOptions = regexp.MustCompile(`^(?i)\s*CYPHER(\s+(\d+|\w+\s*=\s*\w+))*\s`)
	// executionMode is replaced by EXPLAIN.
	executionMode = regexp.MustCompile(`^(?i)\s*(EXPLAIN|PROFILE)\s`)
)

// explainText puts EXPLAIN before a statement, on a line of its own, so that an
// error of the server shows the line that the user wrote.
func explainText(text string) string {
	at := len(cypherOptions.FindString(text))
	rest := text[at:]
	return text[:at] + "EXPLAIN\n" + rest[len(executionMode.FindString(rest)):]
}

// A runFunc runs a statement in a transaction.
type runFunc func(ctx context.Context, text string, params map[string]any) (neo4j.ResultWithContext, error)

// explain returns the table that the server draws of a statement's plan, "" if
// it sends none. The table is used because the plan tree of the driver (5.28)
// holds the second source of an operator twice and loses the first.
func explain(ctx context.Context, run runFunc, q UserQuery) (string, error) {
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

// parsePlanTable reads the operators out of the table that the server draws of a
// plan. Whatever is not such a table is an error, and so is a table of which one
// line cannot be read: checkReadOnly must see every operator.
//
// A table is three borders of + and -, between them a header and the rows, all
// of one width in UTF-16 units. A row whose cell is too long goes on in the next
// line, where the columns of operator and id are empty.
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

// planTable is a table that is being read.
type planTable struct {
	borders int
	bounds  []int // where a border has its +
	columns []string
	steps   []PlanStep
	full    bool // the last cell of Details was filled to its end
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
	return nil // what the server prints before and after its table
}

// border reads a line of + and -.
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

// isSeparator reports whether a line is drawn between two rows: at least one of
// its columns is a line of -, and no column but the first holds anything else.
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

// isTree reports whether text draws only the branches of a plan.
func isTree(text string) bool { return strings.Trim(text, `|\ `) == "" }

// row reads the header, a row or the next line of one.
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

// cells reads the cells of a row.
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

// details adds a line of a cell. The server cuts a text that fills the line
// anywhere, also within a word.
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
