package source

import (
	"encoding/xml"
	"strconv"
)

// setCellProperty notes that the open cell spans columns or continues the cell above, that the open row
// begins after some columns, or that it is hidden.
func setCellProperty(t *cellTable, e *xml.StartElement) {
	value := attr(e, "val")
	n, err := strconv.Atoi(value)
	inRange := err == nil && n > 0 && n <= maxColumnSpan
	switch name := e.Name.Local; {
	case name == "gridSpan" && inRange:
		t.span = n - 1
	case name == "gridBefore" && inRange:
		t.cells = append(t.cells, make([]string, n)...)
	case name == "vMerge":
		t.down = value != "restart"
	case name == "hidden":
		t.gone = t.gone || isOn(e)
	}
}

func (r *docxReader) endTable(name string, t *cellTable) {
	switch name {
	case "tc":
		t.endCell()
	case "tr":
		t.endRow()
	case "tbl":
		if text := r.tables.end(); text != "" {
			r.block(text, 0, false)
		}
	}
}
