package cypher

import (
	"strings"
	"testing"
)

func TestPatternQuotesNames(t *testing.T) {
	got, err := ReadGraphEdges.Pattern([]string{"Person", "A b"}, []string{"KNOWS"})
	want := "MATCH (a)-[:`KNOWS`]->(b:`Person`|`A b`)"
	if err != nil || !strings.Contains(got, want) {
		t.Errorf("got %s, %v, want %s in it", got, err, want)
	}
	got, err = ReadGraphEdges.Pattern(nil, nil)
	if err != nil || !strings.Contains(got, "MATCH (a)-[]->(b)") {
		t.Errorf("all nodes: got %s, %v", got, err)
	}
}

func TestPatternRefusesNamesThatEndTheirQuotes(t *testing.T) {
	for _, name := range []string{
		"", "a`b", "a`) DETACH DELETE (b", `a\u0060) DETACH DELETE (b`, `a\`, "a\nb", "a\x00b", "a\x1bb", "a\u202eb", "a\xffb", strings.Repeat("a", 201),
	} {
		if text, err := ReadGraphEdges.Pattern([]string{name}, nil); err == nil {
			t.Errorf("label %q: got %s, want an error", name, text)
		}
		if text, err := ReadGraphEdges.Pattern(nil, []string{name}); err == nil {
			t.Errorf("type %q: got %s, want an error", name, text)
		}
	}
}
