package markup

import (
	"strings"
	"testing"
)

func FuzzFrontMatter(f *testing.F) {
	f.Add("---\na: b\nc:\n  - d\n  - {e: f}\n---\nrest")
	f.Add("---\n? [a]\n: !!str &x |\n  y\n...\n")
	f.Add("+++\na = [\"b\", 'c']\n[d]\ne = 1 # f\n+++\nrest")
	f.Fuzz(func(t *testing.T, text string) {
		fields, rest := frontMatter(text)
		if !strings.HasSuffix(text, rest) || fields == nil && rest != text {
			t.Fatalf("frontMatter(%q) = %v, %q", text, fields, rest)
		}
	})
}
