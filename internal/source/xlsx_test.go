package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/sheets"
)

// workbook returns an Excel file that fill makes.
func workbook(tb testing.TB, fill func(f *excelize.File) error) string {
	tb.Helper()
	f := excelize.NewFile()
	var b bytes.Buffer
	if err := fill(f); err != nil {
		tb.Fatal(err)
	}
	if err := f.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// setRows sets rows of a sheet from the first column on.
func setRows(f *excelize.File, sheet string, first int, rows ...[]any) error {
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", first+i), &row); err != nil {
			return err
		}
	}
	return nil
}

func TestReadXLSX(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		fill func(f *excelize.File) error
		want []string
	}{
		{"a caption, an empty row, a date and a share", func(f *excelize.File) error {
			share, err := f.NewStyle(&excelize.Style{NumFmt: 10})
			if err != nil {
				return err
			}
			if err := setRows(f, "Sheet1", 1, []any{"Fleet of 2024"}, []any{}, []any{"Ship", "Knots", "Built", "Load"}, []any{"Aurora", 12.5, time.Date(1921, 5, 1, 0, 0, 0, 0, time.UTC), .25}, []any{}, []any{"Elbe Star", 14}); err != nil {
				return err
			}
			return f.SetCellStyle("Sheet1", "D4", "D4", share)
		}, []string{"4|Aurora|Ship: Aurora. Knots: 12.5. Built: 1921-05-01. Load: 25.00%.", "6|Elbe Star|Ship: Elbe Star. Knots: 14.", "0|a|Fleet of 2024\nThe table a has 2 rows. Its columns are: Ship, Knots, Built, Load."}},
		{"merged cells, and a header of two rows", func(f *excelize.File) error {
			if err := setRows(f, "Sheet1", 1, []any{"Port", "2024"}, []any{nil, "Q1", "Q2"}, []any{"Kiel", 1, 2}, []any{nil, 3, 4}); err != nil {
				return err
			}
			for _, c := range [][2]string{{"B1", "C1"}, {"A1", "A2"}, {"A3", "A4"}} {
				if err := f.MergeCell("Sheet1", c[0], c[1]); err != nil {
					return err
				}
			}
			return nil
		}, []string{"3|Kiel|Port: Kiel. 2024 Q1: 1. 2024 Q2: 2.", "4|Kiel|Port: Kiel. 2024 Q1: 3. 2024 Q2: 4.", "0|a|The table a has 2 rows. Its columns are: Port, 2024 Q1, 2024 Q2."}},
		{"sheets, one of them hidden, with equal ids and names", func(f *excelize.File) error {
			for _, name := range []string{"Ships", "Ports", "Secret"} {
				if _, err := f.NewSheet(name); err != nil {
					return err
				}
				if err := setRows(f, name, 1, []any{"id", "Name", "Name"}, []any{1, "A of " + name, "x"}); err != nil {
					return err
				}
			}
			if err := f.DeleteSheet("Sheet1"); err != nil {
				return err
			}
			return f.SetSheetVisible("Secret", false)
		}, []string{
			"2|A of Ships|Id: Ships!1. Name: A of Ships. Name 2: x. Sheet: Ships.", "2|A of Ports|Id: Ports!1. Name: A of Ports. Name 2: x. Sheet: Ports.",
			"0|a|The table Ships has 1 row. Its columns are: Id, Name, Name 2.\nThe table Ports has 1 row. Its columns are: Id, Name, Name 2.",
		}},
		{"titles in merged cells, and a cell without a name above it", func(f *excelize.File) error {
			if err := setRows(f, "Sheet1", 1, []any{"Crew list"}, []any{}, []any{"As of May"}, []any{"Name", "City"}, []any{"Anna", "Kiel", nil, "x"}, []any{"Note"}); err != nil {
				return err
			}
			for _, c := range [][2]string{{"A1", "D2"}, {"A3", "D3"}, {"A6", "D6"}} {
				if err := f.MergeCell("Sheet1", c[0], c[1]); err != nil {
					return err
				}
			}
			return nil
		}, []string{"5|Anna|Name: Anna. City: Kiel. Column 4: x.", "6|Note|Name: Note.", "0|a|Crew list\nAs of May\nThe table a has 2 rows. Its columns are: Name, City, Column 4."}},
		{"one column", func(f *excelize.File) error {
			return setRows(f, "Sheet1", 1, []any{"Ports:"}, []any{"Kiel"})
		}, []string{"2|Kiel|Ports: Kiel.", "0|a|The table a has 1 row. Its columns are: Ports."}},
		{"a column for the text", func(f *excelize.File) error {
			return setRows(f, "Sheet1", 1, []any{"title", "text"}, []any{"T", "Anna sailed."})
		}, []string{"2|T|Anna sailed."}},
	} {
		docs, failures, err := readAll(t, "a.xlsx", workbook(t, tc.fill), nil)
		var got []string
		for _, d := range docs {
			got = append(got, fmt.Sprintf("%d|%s|%s", d.Places.Row, d.Title, d.Text))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil || len(failures) > 0 {
			t.Errorf("%s: %v, %v (-want +got):\n%s", tc.name, failures, err, diff)
		}
	}
	formula := workbook(t, func(f *excelize.File) error {
		return errors.Join(setRows(f, "Sheet1", 1, []any{"Port", "Ships"}, []any{"Kiel"}), f.SetCellFormula("Sheet1", "B2", "1+1"))
	})
	if docs, failures, err := readAll(t, "a.xlsx", formula, nil); err != nil || len(docs) != 2 || len(failures) != 1 || !strings.Contains(failures[0], "formulas without values: 1:") {
		t.Errorf("a formula without a value: %v, %v, %v", brief(docs), failures, err)
	}
	if _, _, err := readAll(t, "a.xlsx", compoundFile+" EncryptedPackage", nil); err == nil || !strings.Contains(err.Error(), "without a password, as .xlsx") {
		t.Errorf("encrypted: %v", err)
	}
	if _, _, err := readAll(t, "a.xlsx", "PK hello", nil); err == nil || !strings.Contains(err.Error(), "not an Excel file") {
		t.Errorf("no workbook: %v", err)
	}
}

// A workbook that is made to exhaust memory or time fails alone.
func TestHugeWorkbooks(t *testing.T) {
	t.Parallel()
	book := func(sheets string) part {
		return part{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets + `</sheets></workbook>`}
	}
	types := part{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`}
	relations := part{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`}
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, `<sheet name="S%d" sheetId="%d" r:id="r%d"/>`, i, i+1, i)
	}
	for name, tc := range map[string]struct{ file, want string }{
		"100,000 sheets":   {wordFile(t, types, relations, book(many.String())), "sheets, more than 1000"},
		"a part of 300 MB": {wordFile(t, types, book(`<sheet name="S" sheetId="1" r:id="r"/>`), part{"xl/sharedStrings.xml", strings.Repeat(" ", 300<<20)}), "not an Excel file: unzip size exceeds"},
	} {
		_, _, err := readAll(t, "a.xlsx", tc.file, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func FuzzReadXLSX(f *testing.F) {
	f.Add([]byte(workbook(f, func(w *excelize.File) error { return setRows(w, "Sheet1", 1, []any{"a", "b"}, []any{1, 2}) })))
	f.Fuzz(func(t *testing.T, raw []byte) {
		base := graph.Document{URI: "a.xlsx", Title: "a"}
		doc, _, err := sheets.Read(context.Background(), raw, base, parse.Options{})
		if err != nil {
			return
		}
		r := newRecords(context.Background(), base, Options{}, func(graph.Document) error { return nil })
		if err := readSheets(strings.NewReader(doc.Text), r); err == nil {
			_ = r.addTables()
		}
	})
}
