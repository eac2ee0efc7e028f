package word

import (
	"encoding/xml"
	"strconv"

	"github.com/neorag/neorag/internal/source/office"
	"github.com/neorag/neorag/internal/source/plain"
)

// setCellProperty notes that the open cell spans columns or continues the cell above, that the open row
// begins after some columns, or that it is hidden.
func setCellProperty(t *plain.Table, e *xml.StartElement) {
	value := office.Attr(e, "val")
	n, err := strconv.Atoi(value)
	inRange := err == nil && n > 0 && n <= plain.MaxColumnSpan
	switch name := e.Name.Local; {
	case name == "gridSpan" && inRange:
		t.Span = n - 1
	case name == "gridBefore" && inRange:
		t.Cells = append(t.Cells, make([]string, n)...)
	case name == "vMerge":
		t.Down = value != "restart"
	case name == "hidden":
		t.Gone = t.Gone || isOn(e)
	}
}

func (r *docxReader) endTable(name string, t *plain.Table) {
	switch name {
	case "tc":
		t.EndCell()
	case "tr":
		t.EndRow()
	case "tbl":
		if text := r.tables.End(); text != "" {
			r.block(text, 0, false)
		}
	}
}
