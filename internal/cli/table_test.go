package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/neo4jstore"
)

func node(id, name string, labels ...string) neo4jstore.Node {
	return neo4jstore.Node{ID: id, Labels: labels, Properties: map[string]any{"name": name, "corpus": "news", "labels_set": []any{"C0_1"}}}
}

func TestCellText(t *testing.T) {
	t.Parallel()
	ann, bob := node("1", "Ann", "Entity", "Entity_news", "Person", "C0_1"), node("2", "Bob\x1b[31m\nB", "Entity")
	knows := neo4jstore.Edge{Type: "RELATED", Start: "2", End: "1", Properties: map[string]any{"weight": int64(3), "key": "x"}}
	vector := make([]any, 384)
	for i := range vector {
		vector[i] = 0.5
	}
	for _, tt := range []struct {
		value any
		want  string
	}{
		{nil, ""},
		{true, "true"},
		{int64(-3), "-3"},
		{2.50, "2.5"},
		{1e21, "1000000000000000000000"},
		{[]any{int64(1), "a", nil, []any{"b"}}, "1, a, , b"},
		{vector, "[384 numbers]"},
		{map[string]any{"b": int64(1), "a": "x"}, "{a: x, b: 1}"},
		{ann, "(Ann :Entity :Person)"},
		{bob, "(Bob[31m B :Entity)"},
		{neo4jstore.Node{Labels: []string{"Run"}, Properties: map[string]any{"key": "news/abc"}}, "(abc :Run)"},
		{neo4jstore.Node{Properties: map[string]any{"a": int64(1), "b": int64(2), "c": int64(3), "d": int64(4), "e": int64(5)}}, "({a: 1, b: 2, c: 3, d: 4, …})"},
		{neo4jstore.Node{}, "()"},
		{knows, "[:RELATED weight 3]"},
		{neo4jstore.Path{Nodes: []neo4jstore.Node{ann, bob}, Edges: []neo4jstore.Edge{knows}}, "(Ann)<-[:RELATED]-(Bob[31m B)"},
		{neo4jstore.Path{Nodes: []neo4jstore.Node{bob, ann}, Edges: []neo4jstore.Edge{knows}}, "(Bob[31m B)-[:RELATED]->(Ann)"},
	} {
		if got := cellText(tt.value); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.value, got, tt.want)
		}
	}
}

func TestWriteTable(t *testing.T) {
	t.Parallel()
	names := []string{"name", "n"}
	for _, tt := range []struct {
		about string
		table neo4jstore.Table
		width int
		want  string
	}{
		{
			"wide letters",
			neo4jstore.Table{Columns: names, Rows: [][]any{{"東京", int64(1)}, {"e\u0301", int64(20)}}},
			80,
			"name  n\n────  ──\n東京  1\ne\u0301     20\n",
		},
		{
			"control characters",
			neo4jstore.Table{Columns: names, Rows: [][]any{{"a\x1b]0;x\a\n\tb\u202e", nil}, {"c", nil}}},
			80,
			"name     n\n───────  ─\na]0;x b\nc\n",
		},
		{
			"cut",
			neo4jstore.Table{Columns: names, Rows: [][]any{{strings.Repeat("x", 1000), int64(1)}, {"東京東京東京東京", int64(2)}}},
			15,
			"name          n\n────────────  ─\nxxxxxxxxxxx…  1\n東京東京東…   2\n",
		},
		{
			"one row too wide",
			neo4jstore.Table{Columns: names, Rows: [][]any{{strings.Repeat("x", 30), int64(1)}}},
			20,
			"name  " + strings.Repeat("x", 30) + "\nn     1\n",
		},
		{
			"too narrow",
			neo4jstore.Table{Columns: []string{"a", "b"}, Rows: [][]any{{"aaaaaaaaa", "b"}, {"a", "bbbbbbbbb"}}},
			9,
			"a  aaaaaaaaa\nb  b\n\na  a\nb  bbbbbbbbb\n",
		},
		{"no rows", neo4jstore.Table{Columns: names}, 80, "name  n\n────  ─\n"},
		{"no columns", neo4jstore.Table{}, 80, ""},
	} {
		var b strings.Builder
		writeTable(&b, tt.table, tt.width)
		if diff := cmp.Diff(tt.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.about, diff)
		}
	}
}

// No line of a table is wider than it may be, and all are aligned.
func TestTableFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 5).Draw(t, "columns")
		table := neo4jstore.Table{}
		for range columns {
			table.Columns = append(table.Columns, rapid.StringMatching(`[a-z]{1,12}`).Draw(t, "name"))
		}
		for range rapid.IntRange(2, 4).Draw(t, "rows") {
			row := make([]any, columns)
			for i := range row {
				row[i] = rapid.String().Draw(t, "cell")
			}
			table.Rows = append(table.Rows, row)
		}
		width := rapid.IntRange(columns*(leastWidth+columnGap), 120).Draw(t, "width")
		var b strings.Builder
		writeTable(&b, table, width)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != len(table.Rows)+2 {
			t.Fatalf("%d lines:\n%s", len(lines), b.String())
		}
		for _, line := range lines {
			if textWidth(line) > width {
				t.Fatalf("%d of %d columns: %q", textWidth(line), width, line)
			}
		}
	})
}

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

func TestTyped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"5": int64(5), "-5": int64(-5), "2.5": 2.5, "9007199254740993": int64(9007199254740993), "1e3": 1000.0, "true": true, "null": nil,
		`"5"`: "5", "text": "text", "007": "007", "": "", "5 6": "5 6", `[1,[2.5,"a"]]`: []any{int64(1), []any{2.5, "a"}}, `{"a":{"b":1}}`: map[string]any{"a": map[string]any{"b": int64(1)}},
	} {
		if diff := cmp.Diff(want, typed(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestNearestQuery(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"communities/membrs": "did you mean communities/members?", "members": "did you mean communities/members?", "card": "did you mean entities/card?",
		"entities/cards": "did you mean entities/card?", "something/else": "--list",
	} {
		if got := nearestQuery(typed); !strings.Contains(got, want) {
			t.Errorf("%s: %s", typed, got)
		}
	}
}
