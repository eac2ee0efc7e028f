package source

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source/decode"
)

const (
	maxColumnSpan = 100     // of a cell; a wider one counts as one cell
	maxCopied     = 1 << 20 // bytes of text that the spans of a table may repeat
)

// A cellTable collects the cells of an office document's table. Cells can contain tables.
type cellTable struct {
	rows   [][]string
	cells  []string // of the open row
	above  []string // the cells of the row before
	cell   strings.Builder
	span   int  // columns that the open cell spans besides its own
	down   bool // the open cell continues the one above
	copied int  // bytes of text that cells repeat
	gone   bool // the open row is hidden or deleted

	// Of OpenDocument, which has the cells that others cover:
	rowsBelow map[int]int // that the cell of a column spans
	repeated  int         // how often the open cell occurs
}

// cellTables are the open tables of a document; cells can contain tables.
type cellTables []*cellTable

func (t *cellTables) start() { *t = append(*t, &cellTable{rowsBelow: map[int]int{}}) }

// current returns the innermost table, or nil.
func (t cellTables) current() *cellTable {
	if len(t) == 0 {
		return nil
	}
	return t[len(t)-1]
}

// end ends the innermost table. One in a cell becomes text of the cell; the text of any other one is
// returned, "" if it is empty.
func (t *cellTables) end() string {
	ended := t.current()
	*t = (*t)[:len(*t)-1]
	switch around := t.current(); {
	case len(ended.rows) == 0:
	case around != nil:
		around.add(ended.inner())
	default:
		return ended.text()
	}
	return ""
}

// add appends to the open cell, which is one line.
func (t *cellTable) add(s string) {
	if t.cell.Len() > 0 {
		t.cell.WriteString(" ")
	}
	t.cell.WriteString(decode.CleanLine(s))
}

// endCell ends a cell: values stay in their columns.
func (t *cellTable) endCell() {
	written := t.cell.String()
	if at := len(t.cells); t.down && written == "" && at < len(t.above) && t.copied <= maxCopied {
		written = t.above[at]
		t.copied += len(written)
	}
	t.cells = append(append(t.cells, written), make([]string, t.span)...)
	t.cell.Reset()
	t.span, t.down = 0, false
}

// repeatCell adds the last cell again.
func (t *cellTable) repeatCell(times int) {
	last := t.cells[len(t.cells)-1]
	if t.copied += times * len(last); t.copied > maxCopied {
		last = ""
	}
	t.cells = append(t.cells, slices.Repeat([]string{last}, times)...)
}

func (t *cellTable) endRow() {
	if !t.gone {
		if strings.Join(t.cells, "") != "" {
			t.rows = append(t.rows, t.cells)
		}
		t.above = t.cells
	}
	t.cells, t.gone = nil, false
}

// text returns a line for each row.
func (t *cellTable) text() string {
	lines := make([]string, len(t.rows))
	for i, row := range t.rows {
		cells := slices.Clone(row)
		for c := range cells {
			cells[c] = strings.ReplaceAll(cells[c], "|", `\|`)
		}
		lines[i] = strings.Join(cells, " | ")
	}
	return strings.Join(lines, "\n")
}

// inner returns the table as it is written in a cell of another.
func (t *cellTable) inner() string {
	lines := make([]string, len(t.rows))
	for i, row := range t.rows {
		filled := slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" })
		lines[i] = strings.Join(filled, ", ")
	}
	return strings.Join(lines, "; ")
}
