package textproc

import "strings"

// A Cell is a value of a row of a table with the name of its column.
type Cell struct {
	Column, Value string
}

// PipeCells returns the values of a line of a Markdown table, none of another line.
func PipeCells(line string) []string {
	line, found := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !found {
		return nil
	}
	line = strings.ReplaceAll(strings.TrimSuffix(line, "|"), `\|`, "\x00")
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = Unmarked(strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|")))
	}
	return cells
}

// LabelledCells returns the cells of a row that is written as "Model: Buick. Power: 165.", none of another
// text.
func LabelledCells(text string) []Cell {
	var out []Cell
	for part := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(text), "\n", " "), ". ") {
		column, value, found := strings.Cut(part, ": ")
		if !found || column == "" || len(column) > maxLabel {
			return nil
		}
		out = append(out, Cell{strings.TrimSpace(column), strings.TrimSuffix(strings.TrimSpace(value), ".")})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
