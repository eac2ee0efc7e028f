package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/text"
)

// A tableInfo is what is known of a table whose rows are documents.
type tableInfo struct {
	name    string
	columns []string
	rows    int
	caption []string // lines above it
}

const maxTables = 1000

// beginTable begins a table of the file.
func (r *records) beginTable(name string, columns []string) *tableInfo {
	r.tables = append(r.tables, tableInfo{name: name, columns: slices.Clone(columns)})
	return &r.tables[len(r.tables)-1]
}

// countRow counts a row of the last table, which may have columns that rows before it do not have.
func (r *records) countRow(columns []string) {
	if len(r.tables) == 0 {
		r.beginTable(r.base.Title, nil)
	}
	t := &r.tables[len(r.tables)-1]
	t.rows++
	for _, name := range columns {
		if len(t.columns) < parse.MaxMetadata && name != sheetField && !slices.Contains(t.columns, name) {
			t.columns = append(t.columns, name)
		}
	}
}

// addTables yields a document that says which tables the file has: how many rows, and which columns.
// A file with a record that is not a row has no such document.
func (r *records) addTables() error {
	var lines []string
	rows := 0
	for _, t := range r.tables[:min(len(r.tables), maxTables)] {
		if t.rows == 0 {
			continue
		}
		rows += t.rows
		lines = append(lines, t.caption...)
		names := make([]string, min(len(t.columns), parse.MaxMetadata))
		for i := range names {
			names[i] = columnLabel(t.columns[i])
		}
		lines = append(lines, fmt.Sprintf("The table %s has %s. Its columns are: %s.", t.name, text.Count(t.rows, "row", "rows"), strings.Join(names, ", ")))
	}
	if rows == 0 || rows < r.count {
		return nil
	}
	doc := r.document("", strings.Join(lines, "\n"), r.base.Title, "", nil)
	doc.URI, doc.Places = r.base.URI, graph.Places{}
	return r.pass(doc)
}
