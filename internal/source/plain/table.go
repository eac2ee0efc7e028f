// Package plain writes in plain text what formats express by layout: tables, numbered lists, raised
// and lowered text, and characters of symbol fonts.
package plain

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source/decode"
)

// Limits of tables.
const (
	MaxColumnSpan = 100     // of a cell; a wider one counts as one cell
	MaxCopied     = 1 << 20 // bytes of text that the spans of a table may repeat
)

// A Table collects the cells of an office document's table. Cells can contain tables.
type Table struct {
	Rows   [][]string
	Cells  []string // of the open row
	above  []string // the cells of the row before
	cell   strings.Builder
	Span   int  // columns that the open cell spans besides its own
	Down   bool // the open cell continues the one above
	copied int  // bytes of text that cells repeat
	Gone   bool // the open row is hidden or deleted

	// Of OpenDocument, which has the cells that others cover:
	RowsBelow map[int]int // that the cell of a column spans
	Repeated  int         // how often the open cell occurs
}

// Tables are the open tables of a document; cells can contain tables.
type Tables []*Table

// Start begins a table, in the open cell if there is one.
func (t *Tables) Start() { *t = append(*t, &Table{RowsBelow: map[int]int{}}) }

// Current returns the innermost table, or nil.
func (t Tables) Current() *Table {
	if len(t) == 0 {
		return nil
	}
	return t[len(t)-1]
}

// End ends the innermost table. One in a cell becomes text of the cell; the text of any other one is
// returned, "" if it is empty.
func (t *Tables) End() string {
	ended := t.Current()
	*t = (*t)[:len(*t)-1]
	switch around := t.Current(); {
	case len(ended.Rows) == 0:
	case around != nil:
		around.Add(ended.inner())
	default:
		return ended.Text()
	}
	return ""
}

// Add appends to the open cell, which is one line.
func (t *Table) Add(s string) {
	if t.cell.Len() > 0 {
		t.cell.WriteString(" ")
	}
	t.cell.WriteString(decode.CleanLine(s))
}

// EndCell ends a cell: values stay in their columns.
func (t *Table) EndCell() {
	written := t.cell.String()
	if at := len(t.Cells); t.Down && written == "" && at < len(t.above) && t.copied <= MaxCopied {
		written = t.above[at]
		t.copied += len(written)
	}
	t.Cells = append(append(t.Cells, written), make([]string, t.Span)...)
	t.cell.Reset()
	t.Span, t.Down = 0, false
}

// RepeatCell adds the last cell again.
func (t *Table) RepeatCell(times int) {
	last := t.Cells[len(t.Cells)-1]
	if t.copied += times * len(last); t.copied > MaxCopied {
		last = ""
	}
	t.Cells = append(t.Cells, slices.Repeat([]string{last}, times)...)
}

// EndRow ends a row, which is left out if it is empty.
func (t *Table) EndRow() {
	if !t.Gone {
		if strings.Join(t.Cells, "") != "" {
			t.Rows = append(t.Rows, t.Cells)
		}
		t.above = t.Cells
	}
	t.Cells, t.Gone = nil, false
}

// Text returns a line for each row.
func (t *Table) Text() string {
	lines := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		cells := slices.Clone(row)
		for c := range cells {
			cells[c] = strings.ReplaceAll(cells[c], "|", `\|`)
		}
		lines[i] = strings.Join(cells, " | ")
	}
	return strings.Join(lines, "\n")
}

// inner returns the table as it is written in a cell of another.
func (t *Table) inner() string {
	lines := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		filled := slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" })
		lines[i] = strings.Join(filled, ", ")
	}
	return strings.Join(lines, "; ")
}
