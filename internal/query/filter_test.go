package query

import (
	"strings"
	"testing"
	"time"
)

func TestPatterns(t *testing.T) {
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
		{"[1]*", "x/[1] minutes.txt", true}, // brackets taken literally
		{"[12]*", "x/1 minutes.txt", true},  // brackets as a set
		{"[!12]*", "x/1 minutes.txt", false},
		{"[z-a].txt", "x/[z-a].txt", true},
		{`a\*`, "x/a*", true},
		{"*", "x/line\nbreak", true},
		{"ärger*", "x/ärger.txt", true},
	}
	for _, tt := range tests {
		patterns, err := compilePattern(tt.pattern)
		if err != nil {
			t.Errorf("compilePattern(%q): %v", tt.pattern, err)
			continue
		}
		if got := matches(patterns, tt.uri); got != tt.want {
			t.Errorf("%q on %q: got %v, want %v", tt.pattern, tt.uri, got, tt.want)
		}
	}
	start := time.Now()
	patterns, err := compilePattern(strings.Repeat("*a", 200))
	if err != nil || matches(patterns, strings.Repeat("a", 2000)+"b") || time.Since(start) > 10*time.Second {
		t.Errorf("a pattern of many stars: %v after %s", err, time.Since(start))
	}
}

func TestParseDay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "2026": "2026-01-01", "2026-03": "2026-03-01", "2026-03-09\n": "2026-03-09", "2026-03-09T10:30": "2026-03-09T10:30",
	} {
		if got, err := parseDay(in); err != nil || got != want {
			t.Errorf("parseDay(%q): got %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"soon", "2026-13", "2026-02-30", "26", "2026-03-09T25:00", "09.03.2026"} {
		if got, err := parseDay(in); err == nil {
			t.Errorf("parseDay(%q): got %q and no error", in, got)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	f.Add("a/**/*.md", "a/b/c.md")
	f.Add("\xff?", "\xffx")
	f.Fuzz(func(t *testing.T, pattern, uri string) {
		patterns, err := compilePattern(pattern)
		if err == nil {
			matches(patterns, uri)
		}
		if exact, err := compilePattern(uri); err == nil && !strings.ContainsAny(uri, "*?") && !matches(exact, uri) {
			t.Errorf("%q does not match itself", uri)
		}
	})
}
