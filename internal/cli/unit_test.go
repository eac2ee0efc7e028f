package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/markdown"
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

func TestPlain(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"red \x1b[31malert\x1b[0m", "red [31malert[0m"},
		{"bell\a null\x00 c1\u009b2J", "bell null c12J"},
		{"turned \u202eround\u2066", "turned round"},
	}
	for _, tt := range tests {
		if got := plain(tt.in); got != tt.want {
			t.Errorf("plain(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   index.Progress
		want string
	}{
		{index.Progress{Stage: "embed", Done: 50, Total: 200, Elapsed: 10 * time.Second}, "embed     50/200  5/s  30s left"},
		{index.Progress{Stage: "extract", Done: 8, Total: 9, Failed: 1, Elapsed: 2 * time.Second, Ended: true}, "extract   8/9  4/s  1 failed  2.0 s"},
	}
	for _, tt := range tests {
		if got := line(tt.in); got != tt.want {
			t.Errorf("line(%+v): got %q, want %q", tt.in, got, tt.want)
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

func TestQuietJSON(t *testing.T) {
	t.Parallel()
	want := "a\u202eb\u0085c\x7fd\u2069é\n\x1b"
	encoded, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	quiet := quietJSON(encoded)
	var got string
	if err := json.Unmarshal(quiet, &got); err != nil || got != want {
		t.Errorf("quietJSON changes %q to %q, %v", want, got, err)
	}
	if strings.ContainsFunc(string(quiet), markdown.Drives) {
		t.Errorf("quietJSON leaves %q", quiet)
	}
}
