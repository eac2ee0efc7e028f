package sanitize

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestControls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want string }{
		{"a\x1b[31mb\u009bc\u202ed\u200fe\u061cf\U000E0041g\ufeffh\xffi\n\t\u200dj", "a[31mbcdefgh\ufffdi\n\t\u200dj"},
		{"a\x1b[31mb\x1b]0;t\a\u202ec\u009bd\r\n\te", "a[31mb]0;tcd\n\te"},
	} {
		if got := Controls(tt.in); got != tt.want {
			t.Errorf("Controls(%q): got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	want := "a\u202eb\u0085c\x7fd\u2069é\n\x1b\U000E0041🎩"
	encoded, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	quiet := JSON(encoded)
	var got string
	if err := json.Unmarshal(quiet, &got); err != nil || got != want {
		t.Errorf("JSON changes %q to %q, %v", want, got, err)
	}
	if strings.ContainsFunc(string(quiet), IsControl) {
		t.Errorf("JSON leaves %q", quiet)
	}
}
