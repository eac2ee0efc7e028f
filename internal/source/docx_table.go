package source

import (
	"encoding/xml"
	"strconv"
	"strings"
)

type docxTable struct {
	rows  []string
	cells []string
	above []string // the cells of the row before
	cell  strings.Builder
	span  int  // columns that the open cell spans besides its own
	down  bool // the open cell continues the one above
}

// setSpan notes that the open cell spans columns, or continues the cell above.
func (t *docxTable) setSpan(e *xml.StartElement) {
	switch value := attr(e, "val"); e.Name.Local {
	case "gridSpan":
		if n, err := strconv.Atoi(value); err == nil && n > 1 && n <= maxColumnSpan {
			t.span = n - 1
		}
	case "vMerge":
		t.down = value != "restart"
	}
}

// endCell ends a cell: values stay in their columns.
func (t *docxTable) endCell() {
	written := t.cell.String()
	if at := len(t.cells); t.down && written == "" && at < len(t.above) {
		written = t.above[at]
	}
	t.cells = append(t.cells, written)
	for range t.span {
		t.cells = append(t.cells, "")
	}
	t.cell.Reset()
	t.span, t.down = 0, false
}

// addToCell appends to the open cell, which is one line.
func (r *docxReader) addToCell(s string) {
	cell := &r.tables[len(r.tables)-1].cell
	if cell.Len() > 0 {
		cell.WriteString(" ")
	}
	cell.WriteString(cleanLine(s))
}

func (r *docxReader) endTable(name string, t *docxTable) {
	switch name {
	case "tc":
		t.endCell()
	case "tr":
		if row := strings.Join(t.cells, " | "); strings.Trim(row, " |") != "" {
			t.rows = append(t.rows, row)
		}
		t.above, t.cells = t.cells, nil
	case "tbl":
		r.tables = r.tables[:len(r.tables)-1]
		switch {
		case len(t.rows) == 0:
		case len(r.tables) > 0:
			r.addToCell(strings.Join(t.rows, "; "))
		default:
			r.block(strings.Join(t.rows, "\n"), 0, false)
		}
	}
}
