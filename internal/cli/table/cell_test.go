package table

import (
	"testing"

	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
)

func node(id, name string, labels ...string) usercypher.Node {
	return usercypher.Node{ID: id, Labels: labels, Properties: map[string]any{"name": name, "corpus": "news", "labels_set": []any{"C0_1"}}}
}

func TestCellText(t *testing.T) {
	t.Parallel()
	ann, bob := node("1", "Ann", "Entity", "Entity_news", "Person", "C0_1"), node("2", "Bob\x1b[31m\nB", "Entity")
	knows := usercypher.Edge{Type: "RELATED", Start: "2", End: "1", Properties: map[string]any{"weight": int64(3), "key": "x"}}
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
		{usercypher.Node{Labels: []string{"Run"}, Properties: map[string]any{"key": "news/abc"}}, "(abc :Run)"},
		{usercypher.Node{Properties: map[string]any{"a": int64(1), "b": int64(2), "c": int64(3), "d": int64(4), "e": int64(5)}}, "({a: 1, b: 2, c: 3, d: 4, …})"},
		{usercypher.Node{}, "()"},
		{knows, "[:RELATED weight 3]"},
		{usercypher.Path{Nodes: []usercypher.Node{ann, bob}, Edges: []usercypher.Edge{knows}}, "(Ann)<-[:RELATED]-(Bob[31m B)"},
		{usercypher.Path{Nodes: []usercypher.Node{bob, ann}, Edges: []usercypher.Edge{knows}}, "(Bob[31m B)-[:RELATED]->(Ann)"},
	} {
		if got := cellText(tt.value); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.value, got, tt.want)
		}
	}
}
