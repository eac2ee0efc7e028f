package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func sample(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "answer.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func address(n int) string {
	if n == 3 {
		return "" // nothing is known of it
	}
	return fmt.Sprintf("../entities/%d.html?a&b", n)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for _, width := range []int{40, 80, 120} {
		got := Terminal(text, width)
		golden(t, fmt.Sprintf("answer.%d.txt", width), strings.ReplaceAll(got, "\x1b", "␛"))
		checkWidth(t, got, width)
	}
	golden(t, "answer.html", HTML(text, 1, address))
	golden(t, "answer.relinked.md", Relink(text, 1, address))
}

// texts generates texts that look like Markdown, and hostile ones.
func texts() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"word", "two words", " ", "  ", "\n", "\n\n", "# ", "## ", "- ", "* ", "1. ", "  - ", "> ", "```", "```\n", "`", "``", "*", "**", "***", "_", "__",
		"[1]", "[23]", "[", "]", "(", ")", "](", "!", "![a](b)", "[x](http://y)", "\\", "\\*", "|", "| a | b |\n", "|---|\n", "---\n", "~~~\n", "漢字かな", "é", "🎄", "❤️",
		"\x1b[31m", "\x1b]0;title\a", "\u202e", "\t", "a_b_c", "<b>", "<!--", "<http://y>", "&amp;", "&#x202e;", "[1]: http://y\n", "longwordlongwordlongwordlongwordlongword", "\xff", "7", ".", "=", "\r\n", "\u00a0",
	})
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "") })
}
