package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

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

var sgr = regexp.MustCompile(`\x1b\[\d+m`)

// checkWidth holds every line to the width, and every escape to those we write.
func checkWidth(t interface{ Errorf(string, ...any) }, shown string, width int) {
	bare := sgr.ReplaceAllString(shown, "")
	if strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
		t.Errorf("a control character is left in %q", bare)
	}
	for line := range strings.Lines(bare) {
		line = strings.TrimSuffix(line, "\n")
		if Width(line) > width {
			t.Errorf("%d columns, want at most %d: %q", Width(line), width, line)
		}
	}
}

// letters are what words are made of: layout may part a word, and nothing else.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// texts are markdown-like, and not.
func texts() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"word", "two words", " ", "  ", "\n", "\n\n", "# ", "## ", "- ", "* ", "1. ", "  - ", "> ", "```", "```\n", "`", "``", "*", "**", "***", "_", "__",
		"[1]", "[23]", "[", "]", "(", ")", "](", "!", "![a](b)", "[x](http://y)", "\\", "\\*", "|", "| a | b |\n", "|---|\n", "---\n", "~~~\n", "漢字かな", "é", "🎄", "❤️",
		"\x1b[31m", "\x1b]0;title\a", "\u202e", "\t", "a_b_c", "<b>", "&amp;", "longwordlongwordlongwordlongwordlongword", "\xff", "7", ".", "=", "\r\n", "\u00a0",
	})
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), "") })
}

// TestPieces: whatever the pieces, what is shown is the same.
func TestPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		width := rapid.IntRange(5, 130).Draw(t, "width")
		want := Terminal(text, width)
		var got strings.Builder
		w := NewWriter(width, func(s string) { got.WriteString(s) })
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(7, len(rest))).Draw(t, "n")
			w.Write(rest[:n])
			rest = rest[n:]
		}
		w.Close()
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Fatalf("%q (-whole +pieces):\n%s", text, diff)
		}
	})
}

// TestWords: all words are shown in their order, on lines that fit.
func TestWords(t *testing.T) {
	t.Parallel()
	mark := regexp.MustCompile("(?m)^[ \t]*(?:```|~~~).*$") // the language of code is not shown
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		width := rapid.IntRange(8, 130).Draw(t, "width")
		shown := Terminal(text, width)
		checkWidth(t, shown, width)
		if mark.MatchString(Sanitize(text)) {
			return
		}
		if diff := cmp.Diff(letters(Sanitize(text)), letters(sgr.ReplaceAllString(shown, ""))); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// TestPlainWords: text without marks keeps its words whole where they fit.
func TestPlainWords(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[a-zä漢]{1,12}[,.;]?`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 1, 60).Draw(t, "words")
		width := rapid.IntRange(30, 120).Draw(t, "width")
		if diff := cmp.Diff(words, strings.Fields(Terminal(strings.Join(words, " "), width))); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

var tag = regexp.MustCompile(`^</?(?:p|h[1-6]|ul|ol|li(?: value="\d+")?|pre|code|em|strong|blockquote|br|hr|a(?: href="[^"<>]*")?)>`)

// TestHTML: no tag but ours, whatever the text, and each is closed.
func TestHTML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		got := HTML(text, 2, address)
		for i := strings.IndexByte(got, '<'); i >= 0 && i < len(got); i++ {
			if got[i] == '<' && !tag.MatchString(got[i:]) {
				t.Fatalf("%q: a tag that is not ours: %s", text, got[i:])
			}
		}
		for _, name := range []string{"p", "ul", "ol", "li", "a", "code", "em", "strong"} {
			open := len(regexp.MustCompile(`<`+name+`[ >]`).FindAllString(got, -1))
			if ends := strings.Count(got, "</"+name+">"); open != ends {
				t.Fatalf("%q: %d <%s> and %d ends in %s", text, open, name, ends, got)
			}
		}
	})
}

// TestRelinkedReadsAlike: markdown that we write is read as what it was made of.
func TestRelinkedReadsAlike(t *testing.T) {
	t.Parallel()
	none := func(int) string { return "" }
	for _, text := range []string{
		sample(t), "# not\\# [7] and \\[8\\]", "1\\. no item", "- a\n    - b\n\n      more", "**a `b` c** _d_", "a < b & c > d | e", "> q  \n> r",
	} {
		if diff := cmp.Diff(HTML(text, 0, none), HTML(Relink(text, 0, none), 0, none)); diff != "" {
			t.Errorf("%q (-as it is +relinked):\n%s", text, diff)
		}
	}
}

func TestSanitize(t *testing.T) {
	t.Parallel()
	if got := Sanitize("a\x1b[31mb\x1b]0;t\a\u202ec\u009bd\r\n\te"); got != "a[31mb]0;tcd\n\te" {
		t.Errorf("got %q", got)
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"abc": 3, "漢字": 4, "é": 1, "e\u0301": 1, "🎄": 2, "\u200b": 0, "ｆ": 2, "❤️": 2} {
		if got := Width(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if got := Fit("漢字x", 3); got != "漢" {
		t.Errorf("got %q", got)
	}
}

// FuzzTerminal: nothing stops the reader, and no escape of a text comes through.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"# a\n- b **c** [1]", "```\n\x1b[2J", "[a](b) ![", "\\", "***a*"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		checkWidth(t, Terminal(text, width), min(max(width, leastWidth), mostWidth))
	})
}

func BenchmarkTerminal(b *testing.B) {
	text := strings.Repeat("**a *b `c [d ", 5000)
	for b.Loop() {
		Terminal(text, 80)
	}
}
