package cli

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/neorag/neorag/internal/neo4jstore"
)

const (
	pipedWidth = 160 // of a table that no terminal shows
	leastWidth = 6   // of a column
	columnGap  = 2
)

// tableJSON is the shape of `cypher --json`.
type tableJSON struct {
	Query   string           `json:"query,omitempty"` // name of a saved query
	Columns []string         `json:"columns"`         // in their order
	Rows    []map[string]any `json:"rows"`
	More    bool             `json:"more"` // there were more rows than the limit
}

func jsonTable(name string, t neo4jstore.Table) tableJSON {
	out := tableJSON{Query: name, Columns: t.Columns, Rows: []map[string]any{}, More: t.More}
	for _, row := range t.Rows {
		values := map[string]any{}
		for i, value := range row {
			values[t.Columns[i]] = jsonValue(value)
		}
		out.Rows = append(out.Rows, values)
	}
	return out
}

// writeCSV writes whole values, with lists and maps as JSON.
func writeCSV(w io.Writer, t neo4jstore.Table) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.Columns); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = plain(csvText(value))
		}
		if err := out.Write(cells); err != nil {
			return fmt.Errorf("write the result: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// writeTable writes aligned columns that fit the width, or, where they cannot,
// or one row is all there is, each row as lines of names and values.
func writeTable(w io.Writer, t neo4jstore.Table, limit int) {
	if len(t.Columns) == 0 {
		return
	}
	cells := make([][]string, 0, len(t.Rows)+1)
	cells = append(cells, t.Columns)
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for i, value := range row {
			line[i] = oneLine(cellText(value))
		}
		cells = append(cells, line)
	}
	widths, cutOff := columnWidths(cells, limit)
	if widths == nil || cutOff && len(t.Rows) == 1 {
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
			b.WriteString(strings.Repeat(" ", widths[i]-textWidth(cell)+columnGap))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// columnWidths gives each column what it needs, and takes from the widest until all fit;
// cutOff says that something is cut. It is nil where they cannot.
func columnWidths(cells [][]string, limit int) (widths []int, cutOff bool) {
	widths = make([]int, len(cells[0]))
	total := -columnGap
	for i := range widths {
		for _, line := range cells {
			widths[i] = max(widths[i], textWidth(line[i]))
		}
		total += widths[i] + columnGap
	}
	for ; total > limit; total-- {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= leastWidth {
			return nil, true
		}
		// One huge cell must not make this long.
		if over := widths[widest] - limit; over > 1 {
			widths[widest] -= over - 1
			total -= over - 1
		}
		widths[widest]--
		cutOff = true
	}
	return widths, cutOff
}

// writeRecords writes each row as lines of name and value.
func writeRecords(w io.Writer, cells [][]string) {
	longest := 0
	for _, name := range cells[0] {
		longest = max(longest, textWidth(name))
	}
	for i, line := range cells[1:] {
		if i > 0 {
			fmt.Fprintln(w)
		}
		for j, value := range line {
			name := cells[0][j]
			fmt.Fprintf(w, "%s%s  %s\n", name, strings.Repeat(" ", longest-textWidth(name)), value)
		}
	}
}

// oneLine folds white space and takes out what drives a terminal.
func oneLine(text string) string { return strings.Join(strings.Fields(plain(text)), " ") }

// clip cuts a text to columns of a terminal, with a mark where it was cut.
func clip(text string, columns int) string {
	if textWidth(text) <= columns {
		return text
	}
	var b strings.Builder
	used := 1
	for _, r := range text {
		if used += runeWidth(r); used > columns {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}

func textWidth(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// runeWidth is how many columns of a terminal a rune takes.
func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}
