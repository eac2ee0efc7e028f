package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlagsFirst(t *testing.T) {
	t.Parallel()
	app := newApp(testEnvironment(t, nil))
	tests := []struct{ in, want []string }{
		{in: []string{"neorag"}, want: []string{"neorag"}},
		{in: []string{"neorag", "query", "who", "--json"}, want: []string{"neorag", "query", "--json", "who"}},
		{in: []string{"neorag", "query", "who", "--level", "1", "else"}, want: []string{"neorag", "query", "--level", "1", "who", "else"}},
		{in: []string{"neorag", "query", "who", "--level=1"}, want: []string{"neorag", "query", "--level=1", "who"}},
		{in: []string{"neorag", "query", "who", "--dynamic", "else", "--top", "3"}, want: []string{"neorag", "query", "--dynamic", "--top", "3", "who", "else"}},
		{in: []string{"neorag", "query", "--", "--json"}, want: []string{"neorag", "query", "--", "--json"}},
		{in: []string{"neorag", "index", "-", "--offline"}, want: []string{"neorag", "index", "--offline", "--", "-"}},
		{in: []string{"neorag", "eval", "retrieval", "q.jsonl", "--methods", "basic"}, want: []string{"neorag", "eval", "retrieval", "--methods", "basic", "q.jsonl"}},
		{in: []string{"neorag", "nothing", "x", "--json"}, want: []string{"neorag", "nothing", "x", "--json"}},
	}
	for _, tt := range tests {
		got := flagsFirst(app, tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("flagsFirst(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}
