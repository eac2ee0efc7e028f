package evalreport

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/markdown"
)

// A Table is one table of a report. Its texts come from records, and are not safe to show before
// Markdown or HTML escapes them.
type Table struct {
	Name  string // by which it is chosen; several tables may have the same
	Title string
	Head  []string
	Text  int // number of columns with texts, the first ones; the others hold what this package writes
	Rows  [][]Cell
	Notes []string // sentences
}

// A Cell is one cell of a table.
type Cell struct {
	Text string
	Bold bool
}

// row returns the cells of a row.
func row(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}

// Markdown returns a table with its heading and notes. Without rows the table is left out.
func (t Table) Markdown() string {
	parts := []string{"## " + markdown.EscapeInline(t.Title) + "\n"}
	if len(t.Rows) > 0 {
		parts = append(parts, t.grid())
	}
	for _, note := range t.Notes {
		parts = append(parts, markdown.Escape(note)+"\n")
	}
	return strings.Join(parts, "\n")
}

// grid returns the head and the rows.
func (t Table) grid() string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	rule := make([]string, len(t.Head))
	for i := range rule {
		if rule[i] = "---:"; i < t.Text {
			rule[i] = "---"
		}
	}
	line(mapped(t.Head, markdown.EscapeInline))
	b.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range t.Rows {
		cells := make([]string, len(r))
		for i, c := range r {
			if cells[i] = c.Text; i < t.Text {
				cells[i] = markdown.EscapeInline(c.Text)
			}
			if c.Bold && cells[i] != "" {
				cells[i] = "**" + cells[i] + "**"
			}
		}
		line(cells)
	}
	return b.String()
}

// oneLine returns a text on one line, without control characters.
func oneLine(s string) string { return text.OneLine(sanitize.Controls(s)) }

// tables are the tables of a report, in their order.
var tables = []struct {
	name string
	of   func(Report) []Table
}{
	{"conditions", conditionTables},
	{"winrates", winRateTables},
	{"significance", significanceTables},
	{"lightrag", lightRAGTables},
	{"qa", accuracyTables},
	{"evidence", evidenceTables},
	{"retrieval", retrievalTables},
	{"claims", claimTables},
	{"agreement", agreementTables},
	{"tokens", tokenTables},
	{"cost", costTables},
	{"failures", failureTables},
}

// TableNames returns the names of tables, in the order of a report.
func TableNames() []string {
	var names []string
	for _, t := range tables {
		names = append(names, t.name)
	}
	return names
}

// Tables returns the tables with these names, or all, in the order of a report. A table without
// rows is left out.
func (r Report) Tables(names ...string) []Table {
	var out []Table
	for _, t := range tables {
		if len(names) > 0 && !slices.Contains(names, t.name) {
			continue
		}
		for _, table := range t.of(r) {
			if len(table.Rows) > 0 {
				table.Name = t.name
				out = append(out, table)
			}
		}
	}
	return out
}

// Markdown returns tables as Markdown.
func Markdown(list []Table) string {
	parts := make([]string, len(list))
	for i, t := range list {
		parts[i] = t.Markdown()
	}
	return strings.Join(parts, "\n")
}
