package textproc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// sixtyWords makes a page long enough for Clean to drop lines.
var sixtyWords = strings.TrimSpace(strings.Repeat("plain words ", 30))

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, line, want string }{
		{"plain line", "A plain line, 100 %.", "A plain line, 100 %."},
		{"link", "See [the *map*](https://x.org/a_b) here and there", "See the map here and there"},
		{"image", "Before ![an alt](pic.png) after the picture", "Before after the picture"},
		{"image in a link", "Go [![alt](a.png) home](x) and read on about it", "Go home and read on about it"},
		{"URL", "Read https://a.org/x?y=1 or www.b.com/z today", "Read or today"},
		{"marks", "## **Bold** `code` > quote | cell \\ # ", "Bold code quote cell"},
		{"unclosed link", "An [open link (with) words", "An open link (with) words"},
		{"white space", "a\u00a0b \t c", "a b c"},
		{"menu", "[Home](/) [News](/n) [About us](/a)", ""},
		{"long text of links", "[" + sixtyWords + "](x)", sixtyWords},
		{"cookie notice", "We use Cookies to make this site better", ""},
		{"sign in", "Please Sign In to go on", ""},
		{"designing is not sign in", "He was designing and signing a contract", "He was designing and signing a contract"},
		{"long line about cookies", sixtyWords + " cookie", sixtyWords + " cookie"},
		{"rule", "=====", ""},
		{"only an image", "![x](y)", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := sixtyWords + "\r\n\n  " + tc.line + "  \n"
			var got []string
			for _, l := range textproc.Clean(text, false)[1:] {
				got = append(got, l.Text)
				if source := text[l.Start:l.End]; source != strings.TrimSpace(tc.line) {
					t.Errorf("source of the line is %q, want the line", source)
				}
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func texts(lines []textproc.Line) (out []string) {
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

func TestCleanKeepsAllOfAShortPage(t *testing.T) {
	t.Parallel()
	got := texts(textproc.Clean("# Log in\n\nWe like cookies.\n---\n[a](b)", false))
	if diff := cmp.Diff([]string{"Log in", "We like cookies.", "a"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCleanDoesNotChangeChatLogs(t *testing.T) {
	t.Parallel()
	got := texts(textproc.Clean("Time: 20260105_11:00\nLiHua: *see* https://a.org \n\nYuriko: log in!\nTime: 9", true))
	if diff := cmp.Diff([]string{"LiHua: *see* https://a.org", "Yuriko: log in!", "Time: 9"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCleanTakesLinearTime(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"[", "![", "[](", "[a](", "[]", "www.", "!"} {
		start := time.Now()
		textproc.Clean(strings.Repeat(unit, 1<<20/len(unit)), false)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("a megabyte of %q took %v", unit, took)
		}
	}
}

// markupText generates text with what Clean handles.
var markupText = rapid.Custom(func(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"[", "]", "(", ")", "![", "](", "word", "running", "Été", "北京", " ", "  ", "\n", "\r\n", "*", "#", "|", "cookie",
		"https://a.b/c", "www.x", "http://", ".", "\u2028", "\f", "\xff", "1,000", "'s", strings.Repeat("many words here ", 15),
	})
	return strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
})

// checkLines fails unless lines ascend, do not overlap, and are not blank.
func checkLines(t interface {
	Fatalf(format string, args ...any)
}, text string, lines []textproc.Line,
) {
	last := 0
	for _, l := range lines {
		if l.Start < last || l.Start >= l.End || l.End > len(text) {
			t.Fatalf("line %q at %d to %d, after one that ends at %d, in %q", l.Text, l.Start, l.End, last, text)
		}
		if strings.TrimSpace(l.Text) != l.Text || l.Text == "" || len(l.Text) > l.End-l.Start {
			t.Fatalf("line %q from %q", l.Text, text[l.Start:l.End])
		}
		last = l.End
	}
}

// checkPassages fails unless passages ascend, do not overlap, have a valid size, and have
// the terms of all lines.
func checkPassages(t interface {
	Fatalf(format string, args ...any)
}, text string, size int, lines []textproc.Line, passages []textproc.Passage,
) {
	var all, packed []string
	for _, l := range lines {
		all = append(all, textproc.TermsIn(language.English, l.Text)...)
	}
	last := 0
	for _, w := range passages {
		if w.Start < last || w.Start > w.End || w.End > len(text) {
			t.Fatalf("passage at %d to %d, after one that ends at %d, in %d bytes", w.Start, w.End, last, len(text))
		}
		if len(w.Terms) == 0 || len(w.Terms) > 2*size {
			t.Fatalf("passage has %d terms for size %d", len(w.Terms), size)
		}
		packed = append(packed, w.Terms...)
		last = w.End
	}
	if diff := cmp.Diff(all, packed); diff != "" {
		t.Fatalf("terms of all passages (-want +got):\n%s", diff)
	}
}

func TestCleanAndPassagesKeepOffsets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := markupText.Draw(t, "text")
		size := rapid.IntRange(1, 20).Draw(t, "size")
		for _, chat := range []bool{false, true} {
			lines := textproc.Clean(text, chat)
			checkLines(t, text, lines)
			checkPassages(t, text, size, lines, textproc.Passages(language.English, lines, size))
		}
	})
}

func FuzzClean(f *testing.F) {
	f.Add("# A [b](c)\n\n![d](e) f https://g.h i\u2028j\n", true)
	f.Add("Time: 1\nA: b\xff\r\n[[x](y", false)
	f.Fuzz(func(t *testing.T, text string, chat bool) {
		lines := textproc.Clean(text, chat)
		checkLines(t, text, lines)
		checkPassages(t, text, 5, lines, textproc.Passages(language.English, lines, 5))
	})
}
