package evalreport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sanitize"
	"github.com/neorag/neorag/internal/text"
)

// A Table is one table of a report. Its texts come from records, and are not safe to show before
// Markdown or HTML escapes them.
type Table struct {
	Name  string // by which it is chosen; several tables may have the same
	Title string
	Head  []string
	Text  int // number of columns with texts, the first ones; the others hold numbers
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

// Markdown returns a table with its heading and notes.
func (t Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escape(t.Title))
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	head, rule := make([]string, len(t.Head)), make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i], rule[i] = escape(h), "---:"
		if i < t.Text {
			rule[i] = "---"
		}
	}
	line(head)
	b.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range t.Rows {
		cells := make([]string, len(r))
		for i, c := range r {
			if cells[i] = escape(c.Text); c.Bold && cells[i] != "" {
				cells[i] = "**" + cells[i] + "**"
			}
		}
		line(cells)
	}
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s\n", escape(note))
	}
	return b.String()
}

// markup are characters that Markdown would read in the text of a cell.
var markup = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "[", `\[`, "<", "&lt;", "~", `\~`)

// escape returns a text on one line as Markdown shows it.
func escape(s string) string { return markup.Replace(oneLine(s)) }

// oneLine returns a text on one line, without what a terminal or a browser would execute.
func oneLine(s string) string { return text.OneLine(sanitize.Strip(s)) }

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
