package query

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, uri string
		want         bool
	}{
		{"*.md", "a/b/c.md", true}, // the file name alone
		{"c", "a/b/c.md", true},    // without its extension
		{"b/c.md", "a/b/c.md", false},
		{"a/*.md", "a/b/c.md", false},
		{"a/**", "a/b/c.md", true},
		{"**/c.md", "a/b/c.md", true},
		{"a/?/c.md", "a/b/c.md", true},
		{"a?b/c.md", "a/b/c.md", false},
		{"c.m", "a/b/c.md", false},
		{"(.+)", "a/b/c.md", false},
		{"[1]*", "x/[1] minutes.txt", true},
		{"*", "x/line\nbreak", true},
		{"ärger*", "x/ärger.txt", true},
	}
	for _, tt := range tests {
		re, err := glob(tt.pattern)
		if err != nil {
			t.Errorf("glob(%q): %v", tt.pattern, err)
			continue
		}
		if got := matches([]*regexp.Regexp{re}, tt.uri); got != tt.want {
			t.Errorf("%q on %q: got %v, want %v", tt.pattern, tt.uri, got, tt.want)
		}
	}
	start := time.Now()
	re, err := glob(strings.Repeat("*a", 200))
	if err != nil || matches([]*regexp.Regexp{re}, strings.Repeat("a", 2000)+"b") || time.Since(start) > 10*time.Second {
		t.Errorf("a pattern of many stars: %v after %s", err, time.Since(start))
	}
}

func TestDay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "2026": "2026-01-01", "2026-03": "2026-03-01", "2026-03-09\n": "2026-03-09", "2026-03-09T10:30": "2026-03-09T10:30",
	} {
		if got, err := day(in); err != nil || got != want {
			t.Errorf("day(%q): got %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"soon", "2026-13", "2026-02-30", "26", "2026-03-09T25:00", "09.03.2026"} {
		if got, err := day(in); err == nil {
			t.Errorf("day(%q): got %q and no error", in, got)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a/**/*.md", "a/b/c.md")
	f.Add("\xff?", "\xffx")
	f.Fuzz(func(t *testing.T, pattern, uri string) {
		re, err := glob(pattern)
		if err == nil {
			matches([]*regexp.Regexp{re}, uri)
		}
		if exact, err := glob(uri); err == nil && !strings.ContainsAny(uri, "*?") && !exact.MatchString(uri) {
			t.Errorf("%q does not match itself", uri)
		}
	})
}
