package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/ui/markdown"
)

const (
	minColumnWidth = 6
	columnGap      = 2
)

// WriteTable writes rows as aligned columns that fit into maxWidth. If the columns cannot
// fit, or if there is only one row and it would be cut, it writes each row as lines of
// names and values. Each cell is sanitized and on one line; a row has as many cells as
// there are columns.
func WriteTable(w io.Writer, columns []string, rows [][]string, maxWidth int) {
	if len(columns) == 0 {
		return
	}
	cells := make([][]string, 0, len(rows)+1)
	for _, row := range append([][]string{columns}, rows...) {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = OneLine(cell)
		}
		cells = append(cells, line)
	}
	widths, cut := columnWidths(cells, maxWidth)
	if widths == nil || cut && len(rows) == 1 {
		writeRecords(w, cells)
		return
	}
	rule := make([]string, len(widths))
	for i, n := range widths {
		rule[i] = strings.Repeat("─", n)
	}
	for _, line := range slices.Insert(slices.Clone(cells), 1, rule) {
		var b strings.Builder
		for i, cell := range line {
			cell = clip(cell, widths[i])
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", widths[i]-markdown.Width(cell)+columnGap))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// columnWidths returns the width of each column: what it needs, less what is taken
// from the widest columns until all fit. cut reports whether anything was taken.
// widths is nil if the columns cannot fit.
func columnWidths(cells [][]string, maxWidth int) (widths []int, cut bool) {
	widths = make([]int, len(cells[0]))
	total := -columnGap
	for i := range widths {
		for _, line := range cells {
			widths[i] = max(widths[i], markdown.Width(line[i]))
		}
		total += widths[i] + columnGap
	}
	for ; total > maxWidth; total-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= minColumnWidth {
			return nil, true
		}
		// A huge cell must not make this loop long.
		if over := widths[widest] - maxWidth; over > 1 {
			widths[widest] -= over - 1
			total -= over - 1
		}
		widths[widest]--
		cut = true
	}
	return widths, cut
}

// writeRecords writes each row as lines of name and value.
func writeRecords(w io.Writer, cells [][]string) {
	longest := 0
	for _, name := range cells[0] {
		longest = max(longest, markdown.Width(name))
	}
	for i, line := range cells[1:] {
		if i > 0 {
			fmt.Fprintln(w)
		}
		for j, value := range line {
			name := cells[0][j]
			fmt.Fprintf(w, "%s%s  %s\n", name, strings.Repeat(" ", longest-markdown.Width(name)), value)
		}
	}
}

// clip cuts s to a number of columns, and ends it with an ellipsis if it was cut.
func clip(s string, columns int) string {
	if markdown.Width(s) <= columns {
		return s
	}
	return markdown.Fit(s, columns-1) + "…"
}
