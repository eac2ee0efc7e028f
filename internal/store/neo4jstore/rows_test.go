package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

func TestDecode(t *testing.T) {
	keys := []string{"key", "marked", "vector", "chunks", "neighbours"}
	full := []any{"a/d", true, []any{0.5, 1.0}, int64(3), []any{map[string]any{"key": "a/e", "score": 0.25}}}
	with := func(i int, v any) []any {
		values := append([]any{}, full...)
		values[i] = v
		return values
	}
	want := DocumentNode{Key: "a/d", Marked: true, Vector: []float32{0.5, 1}, Chunks: 3, Neighbours: []Neighbour{{Key: "a/e", Score: 0.25}}}
	plain := want
	plain.Vector = nil
	tests := map[string]struct {
		keys   []string
		values []any
		want   DocumentNode
		err    string
	}{
		"a row":         {keys, full, want, ""},
		"null":          {keys, with(2, nil), plain, ""},
		"null count":    {keys, with(3, nil), DocumentNode{}, "statement read/document_nodes: column chunks: nothing instead of an integer"},
		"another type":  {keys, with(0, int64(1)), DocumentNode{}, "statement read/document_nodes: column key: int64 instead of a string"},
		"item of a map": {keys, with(4, []any{map[string]any{"key": 1.5}}), DocumentNode{}, "statement read/document_nodes: column key: float64 instead of a string"},
		"item of a list": {
			keys, with(2, []any{"x"}),
			DocumentNode{},
			"statement read/document_nodes: column vector: string instead of a number in the list",
		},
		"another column": {
			[]string{"key", "marked", "vector", "count", "neighbours"},
			full,
			DocumentNode{},
			"statement read/document_nodes: it returns the columns key, marked, vector, count, neighbours instead of key, marked, vector, chunks, neighbours",
		},
	}
	for name, test := range tests {
		var got DocumentNode
		err := readDocumentNodes.decode(&decoder{}, &neo4j.Record{Keys: test.keys, Values: test.values}, &got)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%s: error %v, want %s", name, err, test.err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
