// Package sheets reads workbooks of Excel.
package sheets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

const (
	maxWorkbook = 256 << 20 // bytes, unpacked
	maxMerged   = 16 << 20  // bytes of sheets whose merged cells are read
	maxSheets   = 1000
	maxSpan     = 1000    // cells that a merged cell covers
	maxCovered  = 1 << 20 // cells that all merged cells of a sheet cover
)

// A Row is a row of a workbook, or with a name the beginning of a sheet.
type Row struct {
	Sheet string   `json:"sheet,omitempty"`
	Alone bool     `json:"alone,omitempty"` // it is the only sheet
	Row   int      `json:"row,omitempty"`   // from 1
	Cells []string `json:"cells,omitempty"`
	Wide  bool     `json:"wide,omitempty"` // a cell covers several columns
}

// Read returns the rows of the visible sheets, each as JSON, as people see their values. Dates
// are ISO 8601 where the file leaves their form to the program. The value of a merged cell is the value of
// each cell that it covers, except in a row that has no other.
func Read(ctx context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []parse.Failure, error) {
	f, err := excelize.OpenReader(bytes.NewReader(raw), excelize.Options{
		UnzipSizeLimit: maxWorkbook, UnzipXMLSizeLimit: maxWorkbook,
	})
	if err != nil {
		return doc, nil, fmt.Errorf("not an Excel file: %w", parse.FirstLine(err))
	}
	defer func() { _ = f.Close() }() // nothing was written
	if err := showWholeDates(f); err != nil {
		return doc, nil, fmt.Errorf("read the styles: %w", parse.FirstLine(err))
	}
	names := f.GetSheetList()
	if len(names) > maxSheets {
		return doc, nil, fmt.Errorf("%d sheets, more than %d", len(names), maxSheets)
	}
	if properties, err := f.GetDocProps(); err == nil {
		doc.Metadata = parse.Metadata(map[string]string{"title": properties.Title, "author": properties.Creator})
	}
	var out bytes.Buffer
	var failures []parse.Failure
	lines := json.NewEncoder(&out)
	merges := sheetBytes(f) <= maxMerged
	names = slices.DeleteFunc(names, func(name string) bool {
		visible, err := f.GetSheetVisible(name)
		return err == nil && !visible
	})
	for _, name := range names {
		_ = lines.Encode(Row{Sheet: decode.CleanLine(name), Alone: len(names) == 1}) // a buffer never fails
		if err := writeSheet(ctx, lines, f, name, merges); err != nil {
			if ctx.Err() != nil {
				return doc, nil, context.Cause(ctx)
			}
			failures = append(failures, parse.FailureIn(doc, fmt.Errorf("sheet %s: %w", name, parse.FirstLine(err))))
		}
	}
	if n := formulasWithoutValue(f); n > 0 {
		failures = append(failures, parse.FailureIn(doc, fmt.Errorf("formulas without values: %d: open and save the file in a spreadsheet program", n)))
	}
	doc.Text = out.String()
	return doc, failures, nil
}

// emptyFormula is a cell whose formula has no value. It has not been calculated, as some programs write
// it, unless it has an empty value of the type for text.
var emptyFormula = regexp.MustCompile(`<c ([^<>]*)>\s*<f[^<>]*>[^<>]*</f>\s*(<v>\s*</v>|<v\s*/>)?\s*</c>`)

// formulasWithoutValue returns the number of cells in all sheets whose formula has not been calculated.
func formulasWithoutValue(f *excelize.File) (n int) {
	for _, part := range sheetParts(f) {
		n += uncalculated(part)
	}
	return n
}

// uncalculated returns the number of cells in the XML of a sheet whose formula has not been calculated.
func uncalculated(part []byte) (n int) {
	if !bytes.Contains(part, []byte("</f>")) { // most sheets
		return 0
	}
	for _, cell := range emptyFormula.FindAllSubmatch(part, -1) {
		if len(cell[2]) == 0 || !bytes.Contains(cell[1], []byte(`t="str"`)) {
			n++
		}
	}
	return n
}

// Forms of numbers that Excel knows by a number: dates, and dates with a time.
var (
	dateFormats     = []int{14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58}
	dateTimeFormats = []int{22}
	formatLiteral   = regexp.MustCompile(`"[^"]*"|\\[[^\]]*\]|\\\\.|_.|\*.`)
)

// showWholeDates changes the forms of dates to ISO 8601, because many leave out the year or the day.
func showWholeDates(f *excelize.File) error {
	if f.Styles == nil || f.Styles.CellXfs == nil {
		return nil
	}
	codes := map[int]string{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			codes[n.NumFmtID] = strings.ToLower(formatLiteral.ReplaceAllString(n.FormatCode, ""))
		}
	}
	styles := len(f.Styles.CellXfs.Xf)
	var forms [2]*int // of dates without and with a time
	for i, code := range []string{"yyyy-mm-dd", "yyyy-mm-dd hh:mm"} {
		id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
		if err != nil {
			return err
		}
		forms[i] = f.Styles.CellXfs.Xf[id].NumFmtID
	}
	for i := range styles {
		style := &f.Styles.CellXfs.Xf[i]
		if style.NumFmtID == nil {
			continue
		}
		id := *style.NumFmtID
		code := codes[id]
		date, time := strings.ContainsAny(code, "yd"), strings.Contains(code, "h")
		switch {
		case slices.Contains(dateTimeFormats, id) || date && time:
			style.NumFmtID = forms[1]
		case slices.Contains(dateFormats, id) || date:
			style.NumFmtID = forms[0]
		}
	}
	return nil
}

// sheetParts returns the XML of the sheets.
func sheetParts(f *excelize.File) (parts [][]byte) {
	f.Pkg.Range(func(name, part any) bool {
		if s, _ := name.(string); strings.HasPrefix(s, "xl/worksheets/") {
			b, _ := part.([]byte)
			parts = append(parts, b)
		}
		return true
	})
	return parts
}

// sheetBytes returns the size of all sheets.
func sheetBytes(f *excelize.File) (size int) {
	for _, part := range sheetParts(f) {
		size += len(part)
	}
	return size
}

// writeSheet writes the rows of a sheet that are not empty.
func writeSheet(ctx context.Context, lines *json.Encoder, f *excelize.File, name string, merges bool) error {
	rows, err := f.Rows(name)
	if err != nil {
		return err
	}
	var merged map[int][]mergedCell
	if merges {
		if merged, err = mergedCells(f, name); err != nil {
			return err
		}
	}
	defer func() { _ = rows.Close() }() // nothing was written
	for n := 1; rows.Next(); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		cells, err := rows.Columns()
		if err != nil {
			return err
		}
		row := Row{Row: n, Cells: cells}
		if covering := merged[n]; !isTitle(cells, covering) {
			for _, c := range covering {
				c.fill(&row)
			}
		}
		if len(strings.TrimSpace(strings.Join(row.Cells, ""))) > 0 {
			_ = lines.Encode(row) // a buffer never fails
		}
	}
	return rows.Error()
}

// A mergedCell is a row of a cell that covers others, from one column to another, from 1.
type mergedCell struct {
	left, right int
	value       string
}

// mergedCells returns the merged cells of a sheet that are not too large, by row.
func mergedCells(f *excelize.File, name string) (map[int][]mergedCell, error) {
	found, err := f.GetMergeCells(name)
	if err != nil {
		return nil, err
	}
	merged := map[int][]mergedCell{}
	covered := 0
	for _, c := range found {
		left, top, err := excelize.CellNameToCoordinates(c.GetStartAxis())
		if err != nil {
			continue
		}
		right, bottom, err := excelize.CellNameToCoordinates(c.GetEndAxis())
		size := (right - left + 1) * (bottom - top + 1)
		if err != nil || size > maxSpan || covered+size > maxCovered {
			continue
		}
		covered += size
		for row := top; row <= bottom; row++ {
			merged[row] = append(merged[row], mergedCell{left, right, c.GetCellValue()})
		}
	}
	return merged, nil
}

// isTitle reports whether a row has one value, in a merged cell that begins in the first column, as
// titles of tables have.
func isTitle(cells []string, covering []mergedCell) bool {
	if len(covering) != 1 || covering[0].left != 1 || covering[0].right == 1 {
		return false
	}
	return len(cells) == 0 || strings.TrimSpace(strings.Join(cells[1:], "")) == ""
}

// fill sets the cells of a row that the merged cell covers.
func (m mergedCell) fill(row *Row) {
	for len(row.Cells) < m.right {
		row.Cells = append(row.Cells, "")
	}
	for i := m.left - 1; i < m.right; i++ {
		row.Cells[i] = m.value
	}
	row.Wide = row.Wide || m.right > m.left
}
