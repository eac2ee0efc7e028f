package markdown

import (
	"strings"
	"testing"
	"time"
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

// renderers are the ways to show a text, with the length of the shorter text that each
// is tried on: reading is the same for all.
var renderers = map[string]struct {
	size int
	show func(string) string
}{
	"HTML":   {50_000, func(s string) string { return HTML(s, 0, nil) }},
	"Relink": {10_000, func(s string) string { return Relink(s, 0, nil) }},
	"Writer": {10_000, func(s string) string {
		var b strings.Builder
		w := NewWriter(80, func(s string) { b.WriteString(s) })
		for line := range strings.Lines(s) {
			w.Write(line)
		}
		w.Close()
		return b.String()
	}},
}

// TestTimeIsLinear shows texts, texts four times as long, and texts ten times as long, up
// to 500 KB: the time may grow about as much, where quadratic time would grow 16 and a
// hundred times. No word is lost.
func TestTimeIsLinear(t *testing.T) {
	const soon = time.Second
	for name, text := range hostile {
		for renderer, r := range renderers {
			took := func(size int) time.Duration {
				s := text(size)
				start := time.Now()
				if got, want := strings.Count(r.show(s), "w"), strings.Count(s, "w"); got != want {
					t.Errorf("%s, %s: %d of %d words are shown", name, renderer, got, want)
				}
				return time.Since(start)
			}
			short := took(r.size)
			for _, growth := range []struct{ factor, most int }{{4, 10}, {10, 30}} {
				factor, most := growth.factor, time.Duration(growth.most)
				long := took(factor * r.size)
				for range 2 { // another process may have delayed the longer one
					if long > most*short && long > soon {
						short, long = max(short, took(r.size)), min(long, took(factor*r.size))
					}
				}
				if long > most*short && long > soon {
					t.Fatalf("%s, %s: %v for %d bytes, %v for %d times as many", name, renderer, short, r.size, long, factor)
				}
			}
		}
	}
}
