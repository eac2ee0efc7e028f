package terminal

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/neorag/neorag/internal/text/sanitize"
)

// FuzzOneLine checks that text of a document cannot leave its line or control a terminal.
func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"a\x1b[2Jb", "a\u009b31m", "\x1b]8;;http://x\x07y\x1b]8;;\x07", "\u202eabc", "a\r\nb", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if line := OneLine(text); strings.ContainsFunc(line, func(r rune) bool {
			return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
		}) {
			t.Fatalf("OneLine(%q) = %q", text, line)
		}
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if safe := sanitize.JSON(encoded); json.Unmarshal(encoded, &want) != nil || json.Unmarshal(safe, &got) != nil || got != want {
			t.Fatalf("sanitize.JSON(%q) = %q, which is another value", encoded, safe)
		}
	})
}
