package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
)

func TestWriteCSV(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	table := neo4jstore.Table{Columns: []string{"a", "b"}, Rows: [][]any{
		{"x,\"y\"\x1b[0m", []any{int64(1), "<b>", math.NaN()}}, {node("1", "Ann", "Entity"), nil},
	}}
	if err := writeCSV(&b, table); err != nil {
		t.Fatal(err)
	}
	want := "a,b\n\"x,\"\"y\"\"[0m\",\"[1,\"\"<b>\"\",\"\"NaN\"\"]\"\n" +
		`"{""id"":""1"",""labels"":[""Entity""],""properties"":{""corpus"":""news"",""labels_set"":[""C0_1""],""name"":""Ann""}}",` + "\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
