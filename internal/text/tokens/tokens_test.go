package tokens

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// TestMain makes any HTTP request of the process fail: vocabularies are embedded.
func TestMain(m *testing.M) {
	http.DefaultTransport = &http.Transport{
		DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
			panic("package tokens connected to " + address)
		},
	}
	os.Exit(m.Run())
}

func counter(tb testing.TB, name Encoding) *Counter {
	tb.Helper()
	c, err := Get(string(name))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// direct returns the offsets that tiktoken gives for the whole text.
func direct(c *Counter, text string) []int {
	c.load.Do(c.init)
	var offsets []int
	at := 0
	for _, id := range c.bpe.EncodeOrdinary(text) {
		offsets = append(offsets, at)
		at += len(c.bpe.Decode([]int{id}))
	}
	return offsets
}

func TestGet(t *testing.T) {
	t.Parallel()
	if got := counter(t, "").Name(); got != "o200k_base" {
		t.Errorf(`Get("").Name() = %q, want o200k_base`, got)
	}
	if counter(t, O200k) != counter(t, "") {
		t.Error("Get returns two counters of one encoding, which would load its vocabulary twice")
	}
	_, err := Get("p50k")
	if err == nil || !strings.Contains(err.Error(), "o200k_base, cl100k_base") {
		t.Errorf("Get(p50k) = %v, want an error with the known names", err)
	}
}

// The expected counts are from OpenAI's tiktoken.
func TestCount(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"hello world", 2, 2},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"<|endoftext|>", 7, 7},
		{" \n \n", 1, 1},
	} {
		if got := counter(t, O200k).Count(tc.text); got != tc.o200k {
			t.Errorf("o200k Count(%q) = %d, want %d", tc.text, got, tc.o200k)
		}
		if got := counter(t, Cl100k).Count(tc.text); got != tc.cl100k {
			t.Errorf("cl100k Count(%q) = %d, want %d", tc.text, got, tc.cl100k)
		}
	}
}

// text draws texts of short runs that distinguish the classes of the patterns.
var text = rapid.Custom(func(t *rapid.T) string {
	parts := []string{
		" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2028", "a", "Zoë", "don't", "I'LL", "'s", "'", "x's5", "12345", "½", "Ⅷ",
		".", "?!", "/", "\n/", "...", "—", "“", "今日", "の", "ひ", "é", "e\u0301", "\u0301", "\u200d", "👩‍👩‍👧", "ǅ", "ʰ", "ا", "<|endoftext|>", "\x00", "\ufffd", "ſ", "'ſ",
	}
	return strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(parts), rapid.StringN(0, 4, -1)), 0, 30).Draw(t, "parts"), "")
})

func TestTokensAreThoseOfTiktoken(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		c := counter(t, Encoding(name))
		rapid.Check(t, func(t *rapid.T) {
			s := text.Draw(t, "text")
			if diff := cmp.Diff(direct(c, s), c.Offsets(s)); diff != "" {
				t.Fatalf("%s Offsets(%q) (-want +got):\n%s", name, s, diff)
			}
		})
	}
}

func TestTokensOfCorporaAreThoseOfTiktoken(t *testing.T) {
	t.Parallel()
	c := counter(t, O200k)
	for _, path := range []string{"christmas-carol/docs/stave-1.txt", "lihuaworld/docs/20260105_1100.txt"} {
		raw, err := os.ReadFile(filepath.Join(testcorpora.Dir(t), path))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(direct(c, string(raw)), c.Offsets(string(raw))); diff != "" {
			t.Errorf("Offsets(%s) (-want +got):\n%s", path, diff)
		}
	}
}

func TestOffsets(t *testing.T) {
	t.Parallel()
	c := counter(t, "")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(text, rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		offsets := c.Offsets(s)
		if got := c.Count(s); got != len(offsets) {
			t.Fatalf("Count(%q) = %d, but it has %d offsets", s, got, len(offsets))
		}
		for i, at := range offsets {
			if i == 0 && at != 0 || i > 0 && at <= offsets[i-1] || at >= len(s) {
				t.Fatalf("Offsets(%q) = %v: not ascending from 0 inside the text", s, offsets)
			}
		}
		if s != "" && len(offsets) == 0 {
			t.Fatalf("Offsets(%q) is empty", s)
		}
	})
}

func TestCut(t *testing.T) {
	t.Parallel()
	c := counter(t, "")
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"hello world", 0, ""},
		{"hello world", 1, "hello"},
		{"hello world", 2, "hello world"},
		{"hello 👩‍👩‍👧", 2, "hello "},
		{"a\xffb", 2, "a\xff"},
	} {
		if got := c.Cut(tc.text, tc.limit); got != tc.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tc.text, tc.limit, got, tc.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		limit := rapid.IntRange(0, 40).Draw(t, "limit")
		got := c.Cut(s, limit)
		if !strings.HasPrefix(s, got) || !utf8.ValidString(got) || c.Count(got) > limit {
			t.Fatalf("Cut(%q, %d) = %q of %d tokens", s, limit, got, c.Count(got))
		}
		if c.Count(s) <= limit && got != s {
			t.Fatalf("Cut(%q, %d) = %q, though the whole fits", s, limit, got)
		}
	})
}

func TestLongRunsAreFast(t *testing.T) {
	for name, s := range map[string]string{
		"letters": "a", "capitals": "A", "spaces": " ", "tabs": "\t", "newlines": "\n", "dots": ".", "cjk": "長",
		"marks": "\u0301", "digits": "7", "quotes": "a'", "mixed blanks": " \n", "invalid": "\xff", "base64": "aB3+",
	} {
		run := strings.Repeat(s, 100_000)
		for _, e := range Names() {
			c := counter(t, Encoding(e))
			c.Count("load")
			start := time.Now()
			n := c.Count(run)
			if took := time.Since(start); took > 15*time.Second*slow {
				t.Errorf("%s: 100,000 %s took %v, want under 15 s", e, name, took)
			}
			if n < 300 || n > 400_000 {
				t.Errorf("%s: 100,000 %s are %d tokens", e, name, n)
			}
		}
	}
}

func TestTokenLengthsFitAByte(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		c := counter(t, Encoding(name))
		c.Count("load")
		for id := range 200_000 {
			if n := len(c.bpe.Decode([]int{id})); n > 255 {
				t.Fatalf("%s: token %d has %d bytes", name, id, n)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	c := counter(t, Cl100k)
	s := strings.Repeat("Marley was dead: to begin with. ", 50)
	want := len(direct(c, s))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got := c.Count(s); got != want {
					t.Errorf("Count = %d, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzOffsets(f *testing.F) {
	f.Add("Marley was dead: to begin with.")
	f.Add("a\xff\x80b \n\n/ 長長's")
	f.Fuzz(func(t *testing.T, s string) {
		c := counter(t, "")
		offsets := c.Offsets(s)
		if utf8.ValidString(s) && len(s) < maxRun {
			if diff := cmp.Diff(direct(c, s), offsets); diff != "" {
				t.Fatalf("Offsets(%q) (-want +got):\n%s", s, diff)
			}
		}
		if got := c.Cut(s, len(offsets)/2); !strings.HasPrefix(s, got) || c.Count(got) > len(offsets)/2 {
			t.Fatalf("Cut(%q, %d) = %q", s, len(offsets)/2, got)
		}
	})
}

func BenchmarkOffsets(b *testing.B) {
	raw, err := os.ReadFile(filepath.Join(testcorpora.Dir(b), "christmas-carol/docs/stave-1.txt"))
	if err != nil {
		b.Fatal(err)
	}
	s := string(raw)
	c := counter(b, "")
	c.Count("load")
	b.Run("prose", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			c.Offsets(s)
		}
	})
	b.Run("uncached", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			clear(c.cache)
			c.Offsets(s)
		}
	})
	b.Run("tiktoken", func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		b.ReportAllocs()
		for b.Loop() {
			c.bpe.EncodeOrdinary(s)
		}
	})
}
