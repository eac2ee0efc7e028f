package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReorder(t *testing.T) {
	t.Parallel()
	app := (&command{env: Env{Getenv: func(string) string { return "" }}}).app()
	tests := []struct{ in, want []string }{
		{in: []string{"neorag"}, want: []string{"neorag"}},
		{in: []string{"neorag", "query", "who", "--json"}, want: []string{"neorag", "query", "--json", "who"}},
		{in: []string{"neorag", "query", "who", "--level", "1", "else"}, want: []string{"neorag", "query", "--level", "1", "who", "else"}},
		{in: []string{"neorag", "query", "who", "--level=1"}, want: []string{"neorag", "query", "--level=1", "who"}},
		{in: []string{"neorag", "query", "--", "--json"}, want: []string{"neorag", "query", "--", "--json"}},
		{in: []string{"neorag", "index", "-", "--offline"}, want: []string{"neorag", "index", "--offline", "--", "-"}},
		{in: []string{"neorag", "eval", "retrieval", "q.jsonl", "--methods", "basic"}, want: []string{"neorag", "eval", "retrieval", "--methods", "basic", "q.jsonl"}},
		{in: []string{"neorag", "nothing", "x", "--json"}, want: []string{"neorag", "nothing", "x", "--json"}},
	}
	for _, tt := range tests {
		got := reorder(app, tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("reorder(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"index", "query", "status", "export"}
	tests := []struct{ typed, want string }{
		{"qurey", "; did you mean query?"},
		{"stat", "; did you mean status?"},
		{"zzzzzz", "; `neorag --help` lists all"},
	}
	for _, tt := range tests {
		if got := nearest(tt.typed, names); got != tt.want {
			t.Errorf("nearest(%q): got %q, want %q", tt.typed, got, tt.want)
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
