package source

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/source/sheets"
	"github.com/neorag/neorag/internal/text"
)

// headRows is the number of rows among which the header of a sheet is looked for.
const headRows = 20

// A sheet makes documents of the rows of one sheet of a workbook.
type sheet struct {
	records *records
	name    string
	alone   bool         // it is the only sheet
	head    []sheets.Row // until the header is found
	header  []string
}

// readSheets makes a document of each row of a workbook.
func readSheets(text io.Reader, r *records) error {
	rows := json.NewDecoder(text)
	r.sheets = true
	s := sheet{records: r}
	for {
		var row sheets.Row
		err := rows.Decode(&row)
		switch {
		case errors.Is(err, io.EOF):
			return s.end()
		case err != nil:
			return err
		case row.Sheet != "":
			if err := s.end(); err != nil {
				return err
			}
			s = sheet{records: r, name: row.Sheet, alone: row.Alone}
		default:
			if err := s.add(row); err != nil {
				return err
			}
		}
	}
}

// add adds a row. The first ones wait until the header is found among them.
func (s *sheet) add(row sheets.Row) error {
	if s.header != nil {
		return s.addRow(row)
	}
	s.head = append(s.head, row)
	if len(s.head) < headRows {
		return nil
	}
	return s.begin()
}

// end ends a sheet that may have few rows.
func (s *sheet) end() error {
	if s.header != nil || len(s.head) == 0 {
		return nil
	}
	return s.begin()
}

// begin takes the header, and adds the rows after it. Rows before it are a caption.
func (s *sheet) begin() error {
	at := headerRow(s.head)
	header, rest := s.head[at].Cells, s.head[at+1:]
	if s.head[at].Wide && len(rest) > 0 { // the names of columns are in two rows
		header = joinedHeader(header, rest[0].Cells)
		rest = rest[1:]
	}
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = text.OneLine(name)
	}
	var err error
	if s.header, err = s.records.setHeader(names); err != nil {
		return err
	}
	t := s.records.beginTable(s.name, s.header)
	if s.alone && strings.TrimRight(strings.ToLower(s.name), "0123456789 ") == "sheet" { // as programs name it
		t.name = s.records.base.Title
	}
	for _, row := range s.head[:at] {
		t.caption = append(t.caption, captionLine(row.Cells))
	}
	s.records.order = nil
	s.addColumns(s.header...)
	s.head = nil
	for _, row := range rest {
		if err := s.addRow(row); err != nil {
			return err
		}
	}
	return nil
}

// sheetField is the field of a record for the name of its sheet.
const sheetField = "sheet"

// addRow adds the record of a row.
func (s *sheet) addRow(row sheets.Row) error {
	r := s.records
	r.row = row.Row
	values := map[string]string{}
	for i, cell := range row.Cells[:min(len(row.Cells), maxColumns)] {
		if cell = strings.TrimSpace(cell); cell != "" {
			values[s.column(i)] = cell
		}
	}
	if len(values) == 0 {
		return nil
	}
	if id, ok := r.column(s.header, "id"); ok && values[id] != "" && !s.alone {
		values[id] = s.name + "!" + values[id] // ids are unique within a sheet
	}
	if !s.alone && values[sheetField] == "" {
		values[sheetField] = s.name
	}
	return r.add(0, values, r.composed)
}

// column returns the name of a column from 0. The cells of a row may have no name above them.
func (s *sheet) column(i int) string {
	if missing := i + 1 - len(s.header); missing > 0 {
		s.header = append(s.header, make([]string, missing)...)
	}
	if s.header[i] == "" {
		s.header[i] = "column " + strconv.Itoa(i+1)
		s.addColumns(s.header[i])
	}
	return s.header[i]
}

// addColumns adds columns to the columns of the texts, before the name of the sheet.
func (s *sheet) addColumns(names ...string) {
	r := s.records
	if !s.alone && len(r.order) > 0 {
		r.order = r.order[:len(r.order)-1]
	}
	r.order = append(r.order, names...)
	if !s.alone {
		r.order = append(r.order, sheetField)
	}
}

// headerRow returns the place of the header: the first row with nearly as many cells as any.
func headerRow(rows []sheets.Row) int {
	filled := make([]int, len(rows))
	most := 0
	for i, row := range rows {
		for _, cell := range row.Cells {
			if strings.TrimSpace(cell) != "" {
				filled[i]++
			}
		}
		most = max(most, filled[i])
	}
	for i, n := range filled {
		if 3*n >= 2*most {
			return i
		}
	}
	return 0
}

// joinedHeader returns the names of columns that have a name above and one below, such as "2024 Q1".
func joinedHeader(above, below []string) []string {
	names := make([]string, max(len(above), len(below)))
	copy(names, above)
	for i, name := range below {
		if name != names[i] {
			names[i] = strings.TrimSpace(names[i] + " " + name)
		}
	}
	return names
}

// distinctNames numbers the names that occur before.
func distinctNames(names []string) []string {
	seen := map[string]int{}
	out := make([]string, len(names))
	for i, name := range names {
		for out[i] = name; name != "" && seen[out[i]] > 0; {
			seen[name]++
			out[i] = name + " " + strconv.Itoa(seen[name])
		}
		seen[out[i]]++
	}
	return out
}
