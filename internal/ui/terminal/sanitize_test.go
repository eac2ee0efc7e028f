package terminal

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/sanitize"
)

// TestSanitizedWriter writes a text in two pieces, split at each byte.
func TestSanitizedWriter(t *testing.T) {
	t.Parallel()
	const text = "red \x1b[31malert\u009b2J \u202eround \xff"
	for i := range len(text) {
		var out strings.Builder
		w := Sanitized(&out)
		for _, piece := range []string{text[:i], text[i:]} {
			if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatalf("Write(%q) = %d, %v", piece, n, err)
			}
		}
		if shown := out.String(); strings.ContainsFunc(shown, sanitize.IsControl) || !strings.Contains(shown, "alert") || !utf8.ValidString(shown) {
			t.Errorf("split at %d: %q", i, shown)
		}
	}
}

// TestSanitizeAttr logs with a handler that writes control characters of values.
func TestSanitizeAttr(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		a = SanitizeAttr(groups, a)
		if text := a.Value.String(); strings.ContainsFunc(a.Key+text, sanitize.IsControl) {
			t.Errorf("%q=%q is logged", a.Key, text)
		}
		return a
	}}))
	log.Warn("bad\x1b[31m", "error", errors.New("e\x1b]0;t\a"), "k\x1b", "v\u202e", "list", []string{"\u009b"}, "n", 3)
	if line := out.String(); !strings.Contains(line, "level=WARN") || !strings.Contains(line, "n=3") || !strings.Contains(line, "e]0;t") {
		t.Errorf("logged %q", line)
	}
}
