package reportbook

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFileName checks that file names are safe, readable, and differ where keys do, even
// where file systems ignore case.
func TestFileName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ key, begins string }{
		{"main/scrooge", "scrooge-"},
		{"main/../../etc/passwd", "etc-passwd-"},
		{"main/日本", ""},
		{"main/CON", "con-"},
		{"main/" + strings.Repeat("long ", 50), "long-long-"},
		{"main/a\x00b\nc", "a-b-c-"},
	} {
		got := fileName(tt.key)
		if !strings.HasPrefix(got, tt.begins) || len(got) > maxSlug+9 || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.HasPrefix(got, "-") {
			t.Errorf("%q: got %q", tt.key, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if a != b && strings.EqualFold(fileName("c/"+a), fileName("c/"+b)) {
			t.Fatalf("%q and %q have the same file name", a, b)
		}
	})
	for label, want := range map[string]string{"C0_3": "C0_3", "grün0_1": "", "": ""} {
		if got := reportFile(label); want != "" && got != want || got == "" || got == label && want == "" {
			t.Errorf("%q: got %q", label, got)
		}
	}
}
