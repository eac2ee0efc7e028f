package table

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/text/sanitize"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// pipedWidth is the width of a table that is not written to a terminal, in columns.
const pipedWidth = 160

// JSON is the shape of `cypher --json`.
type JSON struct {
	Query   string           `json:"query,omitempty"` // name of a saved query
	Columns []string         `json:"columns"`         // in order
	Rows    []map[string]any `json:"rows"`
	More    bool             `json:"more"` // there are more rows than the limit
}

// ToJSON converts a table to its JSON shape; name is the name of a saved query.
func ToJSON(name string, t usercypher.Table) JSON {
	out := JSON{Query: name, Columns: t.Columns, Rows: []map[string]any{}, More: t.More}
	for _, row := range t.Rows {
		values := map[string]any{}
		for i, value := range row {
			values[t.Columns[i]] = jsonValue(value)
		}
		out.Rows = append(out.Rows, values)
	}
	return out
}

// WriteCSV writes whole values, with lists and maps as JSON. With raw it writes them
// verbatim, otherwise as CSVCell returns them.
func WriteCSV(w io.Writer, t usercypher.Table, raw bool) error {
	out := csv.NewWriter(w)
	header := make([]string, len(t.Columns))
	for i, name := range t.Columns {
		header[i] = CSVCell(name, raw)
	}
	if err := out.Write(header); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = CSVCell(csvText(value), raw)
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

// CSVCell returns a text as a cell that is safe in a terminal and in a spreadsheet, or
// verbatim if it is raw.
func CSVCell(text string, raw bool) string {
	if raw {
		return text
	}
	return sanitize.Cell(sanitize.Controls(text))
}

// Write writes a table for a person, as wide as the terminal.
func Write(w io.Writer, t usercypher.Table) {
	width, ok := terminal.Size(w)
	if !ok {
		width = pipedWidth
	}
	rows := make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		for _, value := range row {
			rows[i] = append(rows[i], cellText(value))
		}
	}
	terminal.WriteTable(w, t.Columns, rows, width)
}
