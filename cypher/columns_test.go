package cypher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReturns(t *testing.T) {
	tests := map[string]Returns{
		": sources, targets":   {Columns: []Column{{Name: "sources"}, {Name: "targets"}}},
		": as read/chunk_rows": {As: "read/chunk_rows"},
		" ChunkRow: chunk {chunk}?, names []string? > Names": {Row: "ChunkRow", Columns: []Column{
			{Name: "chunk", Shape: "chunk", Null: true}, {Name: "names", Type: "[]string", Null: true, Target: "Names"},
		}},
		": node graph.Entity{key string > _, size int?}, edges []Edge{edge}, ends []{key string}": {Columns: []Column{
			{Name: "node", Type: "graph.Entity", Fields: []Column{{Name: "key", Type: "string", Target: "_"}, {Name: "size", Type: "int", Null: true}}},
			{Name: "edges", Type: "Edge", List: true, Shape: "edge"},
			{Name: "ends", List: true, Fields: []Column{{Name: "key", Type: "string"}}},
		}},
	}
	for text, want := range tests {
		got, err := parseReturns(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("parseReturns(%q): %v (-want +got):\n%s", text, err, diff)
		}
	}
}
