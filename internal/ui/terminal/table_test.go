package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/ui/markdown"
)

func TestWriteTable(t *testing.T) {
	t.Parallel()
	names := []string{"name", "n"}
	for _, tt := range []struct {
		about   string
		columns []string
		rows    [][]string
		width   int
		want    string
	}{
		{
			"wide letters",
			names,
			[][]string{{"東京", "1"}, {"e\u0301", "20"}},
			80,
			"name  n\n────  ──\n東京  1\ne\u0301     20\n",
		},
		{
			"control characters",
			names,
			[][]string{{"a\x1b]0;x\a\n\tb\u202e", ""}, {"c", ""}},
			80,
			"name     n\n───────  ─\na]0;x b\nc\n",
		},
		{
			"cut",
			names,
			[][]string{{strings.Repeat("x", 1000), "1"}, {"東京東京東京東京", "2"}},
			15,
			"name          n\n────────────  ─\nxxxxxxxxxxx…  1\n東京東京東…   2\n",
		},
		{
			"one row too wide",
			names,
			[][]string{{strings.Repeat("x", 30), "1"}},
			20,
			"name  " + strings.Repeat("x", 30) + "\nn     1\n",
		},
		{
			"too narrow",
			[]string{"a", "b"},
			[][]string{{"aaaaaaaaa", "b"}, {"a", "bbbbbbbbb"}},
			9,
			"a  aaaaaaaaa\nb  b\n\na  a\nb  bbbbbbbbb\n",
		},
		{"no rows", names, nil, 80, "name  n\n────  ─\n"},
		{"no columns", nil, nil, 80, ""},
	} {
		var b strings.Builder
		WriteTable(&b, tt.columns, tt.rows, tt.width)
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.about, diff)
		}
	}
}

// TestTableFits checks that no line of a table is wider than maxWidth.
func TestTableFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 5).Draw(t, "columns")
		var names []string
		for range columns {
			names = append(names, rapid.StringMatching(`[a-z]{1,12}`).Draw(t, "name"))
		}
		var rows [][]string
		for range rapid.IntRange(2, 4).Draw(t, "rows") {
			row := make([]string, columns)
			for i := range row {
				row[i] = rapid.String().Draw(t, "cell")
			}
			rows = append(rows, row)
		}
		width := rapid.IntRange(columns*(minColumnWidth+columnGap), 120).Draw(t, "width")
		var b strings.Builder
		WriteTable(&b, names, rows, width)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != len(rows)+2 {
			t.Fatalf("%d lines:\n%s", len(lines), b.String())
		}
		for _, line := range lines {
			if markdown.Width(line) > width {
				t.Fatalf("%d of %d columns: %q", markdown.Width(line), width, line)
			}
		}
	})
}
