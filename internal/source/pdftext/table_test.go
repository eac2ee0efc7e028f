package pdftext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowsAt returns text operators for rows of cells, from a point down; the columns are 100 points wide.
func rowsAt(y, leading float64, rows ...string) string {
	var b strings.Builder
	for i, r := range rows {
		for j, c := range strings.Split(r, "|") {
			if c != "" {
				b.WriteString(linesAt(72+100*float64(j), y-float64(i)*leading, 12, 14, strings.Split(c, "/")...))
			}
		}
	}
	return b.String()
}

func TestTables(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, content, want string }{
		{
			"empty cells",
			linesAt(72, 734, 12, 14, "The fees of the ports:") + rowsAt(720, 14, "Name|City|2022|2023", "Anna Berg|Kiel|1|2", "Jonas Hall|||7", "|Ulm|8|") + linesAt(72, 664, 12, 14, "They rise each year."),
			"The fees of the ports:\n\nName | City | 2022 | 2023\nAnna Berg | Kiel | 1 | 2\nJonas Hall |  |  | 7\n| Ulm | 8 |\n\nThey rise each year.",
		},
		{
			"cells of several lines",
			rowsAt(720, 44, "Region|Q1|Q2", "North|1|in/May", "South coast/and islands|3|4", "East|5|6", "West|7|in/June/or July"),
			"Region | Q1 | Q2\nNorth | 1 | in May\nSouth coast and islands | 3 | 4\nEast | 5 | 6\nWest | 7 | in June or July",
		},
		{
			"a title over two columns",
			rowsAt(720, 14, "Port|Fees of the last two years", "|2022|2023", "Kiel|1|2", "Hull|3|4"),
			"Port Fees of the last two years\n\n| 2022 | 2023\nKiel | 1 | 2\nHull | 3 | 4",
		},
		{
			"labels of a form",
			rowsAt(720, 14, "Tenant:|Anna Berg", "City:|Kiel", "Rent:|500 euro"),
			"Tenant: Anna Berg City: Kiel\nRent: 500 euro",
		},
		{
			"a list",
			rowsAt(720, 14, "1.|a rope", "2.|an anchor", "3.|a sail"),
			"1. a rope\n2. an anchor\n3. a sail",
		},
		{
			"addresses, one drawn after the other",
			rowsAt(720, 14, "Anna Berg/Tonder Street 1/24103 Kiel||Jonas Hall/Dock Road 5/Hull"),
			"Anna Berg Tonder Street 1 24103 Kiel\n\nJonas Hall Dock Road 5 Hull",
		},
		{
			"two rows",
			rowsAt(720, 14, "Kiel|1|2", "Hull|3|4"),
			"Kiel 1 2\n\nHull 3 4",
		},
	} {
		doc, err := readFile(t, pagesOf(tc.content))
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(tc.want, doc.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// Columns of a program's text, which are as wide as letters, are no table.
func TestTextOfProgramsIsNoTable(t *testing.T) {
	t.Parallel()
	raw := pagesOf(linesAt(72, 700, 12, 14, "count    = 12", "offset   = 20", "portname = 30"))
	doc, err := readFile(t, strings.Replace(raw, "/Helvetica", "/Courier", 1))
	if err != nil || strings.Contains(doc.Text, "|") {
		t.Errorf("got %q, %v, want no cells", doc.Text, err)
	}
}
