package export

import (
	"archive/zip"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/sanitize"
)

// TestCSV writes names that a spreadsheet or a reader could misread. By default none
// starts a formula; with Raw each is read back as it is.
func TestCSV(t *testing.T) {
	for _, raw := range []bool{false, true} {
		checkCSV(t, raw)
	}
}

func checkCSV(t *testing.T, raw bool) {
	t.Helper()
	g := sample("t", allNames())
	var b strings.Builder
	f, _ := FindFormat("csv")
	f.Raw = raw
	if err := f.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	var got []string
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(r).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		rows[f.Name] = len(table) - 1
		for _, row := range table[1:] {
			for _, cell := range row {
				if !raw && (sanitize.Cell(cell) != cell || storable(cell) != cell) {
					t.Errorf("%s: a spreadsheet runs %q", f.Name, cell)
				}
			}
			if f.Name == "entities.csv" {
				got = append(got, row[1])
			}
		}
	}
	want := map[string]int{"entities.csv": len(allNames()), "relationships.csv": len(allNames()) - 2, "communities.csv": 3, "reports.csv": 3, "findings.csv": 3}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantNames := allNames()
	for i, n := range wantNames {
		if !raw {
			n = storable(n)
			if strings.HasPrefix(n, "=") {
				n = "'" + n
			}
		}
		wantNames[i] = strings.ReplaceAll(n, "\r\n", "\n") // so does the reader
	}
	if diff := cmp.Diff(wantNames, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
