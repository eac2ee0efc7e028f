package table

import (
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/text/sanitize"
)

func TestWriteCSV(t *testing.T) {
	t.Parallel()
	table := usercypher.Table{Columns: []string{"a", "=b"}, Rows: [][]any{
		{"x,\"y\"\x1b[0m", []any{int64(1), "<b>", math.NaN()}}, {node("1", "Ann", "Entity"), nil}, {"=cmd|'/c calc'!A1", int64(-3)}, {"@x\t", -2.5},
	}}
	ann := `"{""id"":""1"",""labels"":[""Entity""],""properties"":{""corpus"":""news"",""labels_set"":[""C0_1""],""name"":""Ann""}}",` + "\n"
	for raw, want := range map[bool]string{
		false: "a,'=b\n\"x,\"\"y\"\"[0m\",\"[1,\"\"<b>\"\",\"\"NaN\"\"]\"\n" + ann + "'=cmd|'/c calc'!A1,-3\n'@x\t,-2.5\n",
		true:  "a,=b\n\"x,\"\"y\"\"\x1b[0m\",\"[1,\"\"<b>\"\",\"\"NaN\"\"]\"\n" + ann + "=cmd|'/c calc'!A1,-3\n@x\t,-2.5\n",
	} {
		var b strings.Builder
		if err := WriteCSV(&b, table, raw); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("raw %v (-want +got):\n%s", raw, diff)
		}
	}
}

// TestCSVStartsNoFormula writes random cells: by default none starts a formula, and with
// raw each is read back as it is.
func TestCSVStartsNoFormula(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{"=", "+", "-", "@", "\t", " =", "＝", "\x1b=", "\u200b@"}).Draw(t, "start") + rapid.String().Draw(t, "rest")
	}))
	rapid.Check(t, func(t *rapid.T) {
		row := make([]any, rapid.IntRange(1, 4).Draw(t, "cells"))
		columns, want := make([]string, len(row)), make([]string, len(row))
		for i := range row {
			columns[i], want[i] = text.Draw(t, "column"), strings.ReplaceAll(text.Draw(t, "cell"), "\r", "") // the reader drops it
			row[i] = want[i]
		}
		for _, raw := range []bool{false, true} {
			var b strings.Builder
			if err := WriteCSV(&b, usercypher.Table{Columns: columns, Rows: [][]any{row}}, raw); err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
			if len(row) == 1 && (columns[0] == "" || want[0] == "") {
				continue // an empty line
			}
			if err != nil {
				t.Fatalf("%v in %q", err, b.String())
			}
			if raw && !slices.Equal(rows[len(rows)-1], want) {
				t.Fatalf("raw: read back %q, want %q", rows[len(rows)-1], want)
			}
			for _, cell := range slices.Concat(rows...) {
				if !raw && (sanitize.Cell(cell) != cell || sanitize.Controls(cell) != cell) {
					t.Fatalf("%q starts a formula", cell)
				}
			}
		}
	})
}
