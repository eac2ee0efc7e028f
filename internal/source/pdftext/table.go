package pdftext

import (
	"math"
	"slices"
	"strings"
)

// What makes rows a table. Distances are multiples of the size of the text.
const (
	cellGap        = 1   // least distance of two cells of a line
	columnGap      = .5  // least distance of two columns
	edgeDeviation  = .5  // how far the left edges, right edges or centers of a column may differ
	maxRowLeading  = 4   // largest distance of two rows
	minFullRows    = 3   // rows with two cells or more
	maxColumns     = 40  // columns of a table
	maxCellText    = 120 // bytes of a cell
	maxCellWords   = 4   // words of a cell, on average
	wrappedLeading = .85 // largest distance of two lines of a cell, as a share of the distance of rows
	rowsBack       = 8   // rows that a line may still be a part of; successive rows of one cell
	rowsBefore     = 3   // rows before such a row, of which one must have two cells or more
)

// A cell is a part of a line that is far from the others.
type cell struct {
	text        string
	left, right float64
}

// A row is lines with the same baseline, as their cells from left to right.
type row struct {
	first line
	lines []int // indexes
	cells []cell
}

// withTables replaces the lines of each table by one line for each row.
func withTables(lines []line) []line {
	rows := rowsOf(lines)
	tables := map[int][]line{} // by the index of their first line
	inTable := make([]bool, len(lines))
	for i := 0; i < len(rows); {
		t := tableAt(rows[i:])
		if t.isPlausible() {
			first := len(lines)
			for _, r := range t.rows {
				for _, at := range r.lines {
					inTable[at], first = true, min(first, at)
				}
			}
			tables[first] = t.write(len(tables) + 1)
		}
		i += max(1, len(t.rows))
	}
	all := make([]line, 0, len(lines))
	for i, l := range lines {
		if all = append(all, tables[i]...); !inTable[i] {
			all = append(all, l)
		}
	}
	return all
}

// rowsOf returns the rows of lines. A file may draw all lines of a cell before the next cell, so a line
// may belong to a row above the last one, if that row or one shortly before it has more than one cell:
// otherwise the lines are columns of text.
func rowsOf(lines []line) []row {
	var rows []row
	for i, l := range lines {
		at, nearest := -1, 0.
		for j := len(rows) - 1; j >= max(0, len(rows)-rowsBack); j-- {
			limit := l.size / 4
			if j < len(rows)-1 {
				if !slices.ContainsFunc(rows[max(0, j-rowsBefore):j+1], func(r row) bool { return len(r.cells) > 1 }) {
					continue
				}
				limit = .7 * l.size
			}
			distance := math.Abs(l.box.bottom - rows[j].first.box.bottom)
			if distance < limit && rows[j].precedes(l) && (at < 0 || distance < nearest) {
				at, nearest = j, distance
			}
		}
		if at < 0 {
			at, rows = len(rows), append(rows, row{first: l})
		}
		cells := l.cells
		if len(cells) == 0 {
			cells = []cell{{l.text, l.box.left, l.box.right}}
		}
		rows[at].lines, rows[at].cells = append(rows[at].lines, i), append(rows[at].cells, cells...)
	}
	return rows
}

// precedes reports whether a line is right of the row, on the same page.
func (r row) precedes(l line) bool {
	return r.first.page == l.page && r.first.turn == l.turn && l.turn != oblique && l.box.left >= r.cells[len(r.cells)-1].right+cellGap*l.size
}

// A table is rows whose cells are in the same columns.
type table struct {
	rows    []row
	columns []cell // without text, from left to right
	full    int    // rows with two cells or more
}

// tableAt returns the rows from the first one that have the same columns. Those at the end that have
// nothing but a cell in the first column are probably the text below the table.
func tableAt(rows []row) table {
	var t table
	end := 0
	for i, r := range rows {
		columns := addCells(t.columns, r)
		single := len(r.cells) == 1
		if columns == nil || i == 0 && single || i-end > rowsBack || i > 0 && !rows[i-1].isAbove(r) {
			break
		}
		if !single {
			t.full++
		}
		if !single || r.cells[0].left > columns[0].right {
			end = i + 1
			t.columns = columns
		}
	}
	t.rows = rows[:end]
	return t
}

// isAbove reports whether the next row is close below the row.
func (r row) isAbove(next row) bool {
	down := r.first.box.bottom - next.first.box.bottom
	return r.first.page == next.first.page && r.first.turn == next.first.turn && 0 < down && down < maxRowLeading*next.first.size
}

// addCells returns the columns with the cells of a row, or nil if they are not in the same columns.
func addCells(columns []cell, r row) []cell {
	columns = slices.Clone(columns)
	for i, c := range r.cells {
		if len(c.text) > maxCellText || i > 0 && c.left < r.cells[i-1].right {
			return nil
		}
		at, ok := columnOfCell(columns, c)
		switch {
		case !ok:
			columns = slices.Insert(columns, at, cell{left: c.left, right: c.right})
		case i > 0 && columns[at].right > r.cells[i-1].right && columns[at].left < r.cells[i-1].right:
			return nil // two cells in one column
		default:
			columns[at].left, columns[at].right = min(columns[at].left, c.left), max(columns[at].right, c.right)
		}
	}
	for i := 1; i < len(columns); i++ {
		if columns[i].left < columns[i-1].right+columnGap*r.first.size {
			return nil
		}
	}
	if len(columns) > maxColumns {
		return nil
	}
	return columns
}

// columnOfCell returns the first column that a cell overlaps, or where it would be and false.
func columnOfCell(columns []cell, c cell) (int, bool) {
	for i, column := range columns {
		if c.left < column.right {
			return i, c.right > column.left
		}
	}
	return len(columns), false
}

// isPlausible reports whether the rows are a table: their cells are short and have common edges, and
// the first ones are not marks of a list, labels of a form or entries of a table of contents.
func (t table) isPlausible() bool {
	if t.full < minFullRows || len(t.columns) < 2 {
		return false
	}
	columns := make([][]cell, len(t.columns))
	words, cells, labels := 0, 0, 0
	for _, r := range t.rows {
		for i, c := range r.cells {
			at, _ := columnOfCell(t.columns, c)
			columns[at] = append(columns[at], c)
			words += len(strings.Fields(c.text))
			if strings.Contains(c.text, "...") || strings.Contains(c.text, ". . .") {
				return false
			}
			if i == 0 && len(r.cells) > 1 && (strings.Contains(c.text+" ", ": ") || itemPattern.MatchString(c.text+" ")) {
				labels++
			}
			cells++
		}
	}
	aligned := 0
	for _, column := range columns {
		if len(column) >= minFullRows && isAligned(column, edgeDeviation*t.rows[0].first.size) {
			aligned++
		}
	}
	return aligned >= 2 && words <= maxCellWords*cells && 2*labels <= t.full
}

// isAligned reports whether three of four cells have the same left edge, right edge or center.
func isAligned(cells []cell, deviation float64) bool {
	for _, edge := range []func(cell) float64{
		func(c cell) float64 { return c.left },
		func(c cell) float64 { return c.right },
		func(c cell) float64 { return (c.left + c.right) / 2 },
	} {
		edges := make([]float64, len(cells))
		for i, c := range cells {
			edges[i] = edge(c)
		}
		slices.Sort(edges)
		middle, same := edges[len(edges)/2], 0
		for _, e := range edges {
			if math.Abs(e-middle) <= deviation {
				same++
			}
		}
		if 4*same >= 3*len(cells) {
			return true
		}
	}
	return false
}

// write returns a line for each row, with the cells of all columns.
func (t table) write(number int) []line {
	var lines []line
	for _, rows := range t.logicalRows() {
		texts := make([]string, len(t.columns))
		l := rows[0].first
		for _, r := range rows {
			for _, c := range r.cells {
				at, _ := columnOfCell(t.columns, c)
				texts[at] = strings.TrimSpace(texts[at] + " " + c.text)
			}
			l.box = l.box.union(r.first.box)
			l.box.right = max(l.box.right, r.cells[len(r.cells)-1].right)
		}
		l.text, l.table, l.cells = strings.TrimSpace(strings.Join(texts, " | ")), number, nil
		lines = append(lines, l)
	}
	return lines
}

// logicalRows groups rows that are parts of one, because its cells have several lines. They are closer to
// each other than rows that have a first cell and more.
func (t table) logicalRows() [][]row {
	least := 0. // distance of two full rows
	for i, r := range t.rows[1:] {
		if distance := t.rows[i].first.box.bottom - r.first.box.bottom; t.isFull(r) && t.isFull(t.rows[i]) && (least == 0 || distance < least) {
			least = distance
		}
	}
	var groups [][]row
	full := false // the last group has a full row
	for i, r := range t.rows {
		isFull := t.isFull(r)
		if i > 0 && (!full || !isFull) && t.rows[i-1].first.box.bottom-r.first.box.bottom < wrappedLeading*least {
			groups[len(groups)-1] = append(groups[len(groups)-1], r)
			full = full || isFull
			continue
		}
		groups, full = append(groups, []row{r}), isFull
	}
	return groups
}

// isFull reports whether a row has a cell in the first column, and others.
func (t table) isFull(r row) bool { return len(r.cells) > 1 && r.cells[0].left < t.columns[0].right }
