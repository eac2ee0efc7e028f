package export

import (
	"archive/zip"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCSV(t *testing.T) {
	g := sample("t", allNames())
	text := write(t, "csv", g)
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
			if f.Name == "entities.csv" {
				got = append(got, row[1])
			}
		}
	}
	want := map[string]int{"entities.csv": len(allNames()), "relationships.csv": len(allNames()) - 2, "communities.csv": 3, "reports.csv": 3, "findings.csv": 3}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantNames := names(g)
	for i, n := range wantNames {
		wantNames[i] = strings.ReplaceAll(n, "\r\n", "\n") // so does the reader
	}
	if diff := cmp.Diff(wantNames, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
