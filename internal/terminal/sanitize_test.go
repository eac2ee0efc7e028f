package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/markdown"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"red \x1b[31malert\x1b[0m", "red [31malert[0m"},
		{"bell\a null\x00 c1\u009b2J", "bell null c12J"},
		{"turned \u202eround\u2066", "turned round"},
	}
	for _, tt := range tests {
		if got := Sanitize(tt.in); got != tt.want {
			t.Errorf("Sanitize(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSanitizeJSON(t *testing.T) {
	t.Parallel()
	want := "a\u202eb\u0085c\x7fd\u2069é\n\x1b"
	encoded, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	quiet := SanitizeJSON(encoded)
	var got string
	if err := json.Unmarshal(quiet, &got); err != nil || got != want {
		t.Errorf("SanitizeJSON changes %q to %q, %v", want, got, err)
	}
	if strings.ContainsFunc(string(quiet), markdown.IsControl) {
		t.Errorf("SanitizeJSON leaves %q", quiet)
	}
}
