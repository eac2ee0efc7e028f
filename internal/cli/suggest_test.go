package cli

import "testing"

func TestSuggest(t *testing.T) {
	t.Parallel()
	names := []string{"index", "query", "status", "export"}
	tests := []struct{ typed, want string }{
		{"qurey", "; did you mean query?"},
		{"stat", "; did you mean status?"},
		{"zzzzzz", "; see the list"},
	}
	for _, tt := range tests {
		if got := suggest(tt.typed, names, "; see the list"); got != tt.want {
			t.Errorf("suggest(%q): got %q, want %q", tt.typed, got, tt.want)
		}
	}
}
