package markdown

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/sanitize"
)

var sgr = regexp.MustCompile(`\x1b\[\d+m`)

// checkWidth checks that no line is wider than width, and that no control character
// but the escapes that this package writes is left.
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

// letters returns the letters and digits of a text: layout may break a word, and
// changes nothing else in it.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// TestTerminalShowsAllWords checks that all words are shown in order, on lines that fit.
func TestTerminalShowsAllWords(t *testing.T) {
	t.Parallel()
	hides := regexp.MustCompile("```|~~~|\t") // the language of code is not shown, nor the number of an item as it is after a tab
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		width := rapid.IntRange(24, 130).Draw(t, "width")
		shown := Terminal(text, width)
		checkWidth(t, shown, width)
		if hides.MatchString(sanitize.Controls(text)) {
			return
		}
		if diff := cmp.Diff(letters(sanitize.Controls(text)), letters(sgr.ReplaceAllString(shown, ""))); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// TestTerminalKeepsWordsWhole checks that a word that fits on a line is not broken.
func TestTerminalKeepsWordsWhole(t *testing.T) {
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

// FuzzTerminal checks that no text makes the parser panic, and that no escape of a
// text gets through.
func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"# a\n- b **c** [1]", "```\n\x1b[2J", "[a](b) ![", "\\", "***a*"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		checkWidth(t, Terminal(text, width), min(max(width, minWidth), maxWidth))
	})
}

func BenchmarkTerminal(b *testing.B) {
	for name, piece := range map[string]string{"brackets": "**a *b `c [d ", "quotes": ">", "items": "- a\n", "emphasis": "*a_\n"} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(piece, 20000/len(piece))
			for b.Loop() {
				Terminal(text, 80)
			}
		})
	}
}
