package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	if got, want := OneLine(" a\t b\n\nc\u00a0d "), "a b c d"; got != want {
		t.Errorf("OneLine: %q, want %q", got, want)
	}
}

// TestOneLineOfAnyText compares OneLine with the fields of random texts.
func TestOneLineOfAnyText(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{" ", "  ", "\n", "\u00a0", "a", "bc", "é"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		if got, want := OneLine(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("one line of %q: got %q, want %q", s, got, want)
		}
	})
}

func TestFirstLine(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "a\nb\nc": "a"} {
		if got := FirstLine(in); got != want {
			t.Errorf("FirstLine(%q): %q, want %q", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"the quick brown fox", 14, "the quick…"},
		{"the quick, brown fox", 14, "the quick…"},
		{"abcdefghijkl", 5, "abcd…"},
		{"ünïcödé wörds", 8, "ünïcödé…"},
		{"ab", 1, "…"},
	} {
		if got := Shorten(c.in, c.n); got != c.want {
			t.Errorf("Shorten(%q, %d): %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestShortenedTextIsAPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "n")
		got := Shorten(s, n)
		if got == s {
			return
		}
		if kept, cut := strings.CutSuffix(got, "…"); !cut || !strings.HasPrefix(s, kept) || utf8.RuneCountInString(got) > n {
			t.Errorf("Shorten(%q, %d): %q", s, n, got)
		}
	})
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aü", 2, "a"}, {"ü", 1, ""}} {
		if got := Truncate(c.in, c.n); got != c.want {
			t.Errorf("Truncate(%q, %d): %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 entities", 1: "1 entity", 2: "2 entities"} {
		if got := Count(n, "entity", "entities"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}
