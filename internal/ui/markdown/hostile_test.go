package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// hostile are texts that make a reader of Markdown try many things in vain. w is a word.
var hostile = map[string]func(n int) string{
	"opening brackets":      repeated("[w"),
	"closing brackets":      repeated("w]"),
	"brackets in brackets":  func(n int) string { return strings.Repeat("[", n/2) + "w" + strings.Repeat("]", n/2) },
	"empty brackets":        repeated("[]"),
	"pairs of brackets":     repeated("[w][w"),
	"links":                 repeated("[w](w) "),
	"links without end":     repeated("[w]("),
	"addresses without end": repeated("[w](<w"),
	"titles without end":    repeated(`[w](w "`),
	"parentheses":           repeated("[w](((("),
	"links in links":        func(n int) string { return strings.Repeat("[", n/6) + "w" + strings.Repeat("](w)", n/6) },
	"images in images":      func(n int) string { return strings.Repeat("![", n/6) + "w" + strings.Repeat("](w)", n/6) },
	"images":                repeated("![w"),
	"references":            repeated("w[1]"),
	"backticks":             repeated("`w"),
	"runs of backticks":     growing("`"),
	"backticks in code":     func(n int) string { return "~~~\n" + strings.Repeat("`", n) + "w\n~~~\n" },
	"asterisks":             repeated("*"),
	"asterisks and words":   repeated("*w "),
	"emphasis without end":  repeated("w**w*w "),
	"emphasis of two kinds": repeated("*w_w"),
	"runs of asterisks":     growing("*"),
	"backslashes":           repeated(`\`),
	"quotes in quotes":      repeated("> "),
	"quotes without spaces": repeated(">"),
	"bullets in bullets":    repeated("- + "),
	"items in items":        repeated("1. "),
	"items":                 repeated("- w\n"),
	"items after a tab":     repeated("1.\tw\n"),
	"items and empty lines": repeated("- w\n\n"),
	"deeper and deeper":     indented,
	"quotes and items":      repeated("> - w\n"),
	"cells":                 func(n int) string { return strings.Repeat("|w", n/4) + "|\n" + strings.Repeat("|-", n/4) + "|\n" },
	"tables":                repeated("|w|w|\n|-|-|\n|w|w|\n\n"),
	"rows":                  func(n int) string { return "|w|\n|-|\n" + strings.Repeat("|w|\n", n/4) },
	"rows without a table":  repeated("w|w\n"),
	"fences":                repeated("```\nw\n"),
	"headings":              repeated("# w\n"),
	"dashes":                repeated("-\n"),
	"lines":                 repeated("w w [3] **w**\n"),
}

func repeated(unit string) func(int) string {
	return func(n int) string { return strings.Repeat(unit, n/len(unit)) }
}

// growing returns longer and longer runs of a mark between words.
func growing(mark string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(mark, i) + "w ")
		}
		return b.String()
	}
}

func indented(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("  ", i) + "- w\n")
	}
	return b.String()
}

// renderers are the ways to show a text, with a length that takes milliseconds, and
// much longer than make times-check allows where a step is quadratic.
var renderers = map[string]struct {
	size int
	show func(string) string
}{
	"HTML":   {200_000, func(s string) string { return HTML(s, 0, nil) }},
	"Relink": {100_000, func(s string) string { return Relink(s, 0, nil) }},
	"Writer": {20_000, func(s string) string {
		var b strings.Builder
		w := NewWriter(80, func(s string) { b.WriteString(s) })
		for line := range strings.Lines(s) {
			w.Write(line)
		}
		w.Close()
		return b.String()
	}},
}

func TestHostileTextIsShown(t *testing.T) {
	for name, text := range hostile {
		for renderer, r := range renderers {
			s := text(r.size)
			if got, want := strings.Count(r.show(s), "w"), strings.Count(s, "w"); got != want {
				t.Errorf("%s, %s: %d of %d words are shown", name, renderer, got, want)
			}
		}
	}
}

// BenchmarkHostile shows that time is linear: a text that is ten times as long has about
// the same MB/s.
func BenchmarkHostile(b *testing.B) {
	for name, text := range hostile {
		for renderer, r := range renderers {
			for _, size := range []int{r.size / 10, r.size} {
				s := text(size)
				b.Run(fmt.Sprintf("%s/%s/%d", name, renderer, size), func(b *testing.B) {
					b.SetBytes(int64(len(s)))
					for b.Loop() {
						r.show(s)
					}
				})
			}
		}
	}
}
