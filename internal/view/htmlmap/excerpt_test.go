package htmlmap

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"one two", 10, "one two"}, {" one\n two ", 10, "one two"}, {"one two, three", 10, "one two…"}, {"unbroken", 5, "unbr…"}, {"ñandúñandú", 4, "ñan…"}, {"", 5, ""},
	} {
		if got := shorten(tt.text, tt.limit); got != tt.want {
			t.Errorf("shorten(%q, %d): %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	text := "It was cold. Old Scrooge sat busy in his counting-house. He could hear the people."
	for _, tt := range []struct {
		name  string
		limit int
		want  string
	}{
		{"scrooge", 100, "Old Scrooge sat busy in his counting-house."},
		{"people", 100, "He could hear the people."},
		{"nobody", 12, "It was cold…"},
		{"Scrooge", 20, "Old Scrooge sat…"},
	} {
		if got := excerpt(text, tt.name, tt.limit); got != tt.want {
			t.Errorf("excerpt of %s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestExcerptOfAnyText checks that an excerpt is valid UTF-8, short enough, and contains
// the name.
func TestExcerptOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Zİßa-z]{1,8}`).Draw(t, "name")
		text := rapid.String().Draw(t, "before") + name + rapid.StringN(0, 300, -1).Draw(t, "after")
		limit := rapid.IntRange(30, 200).Draw(t, "limit")
		got := excerpt(text, name, limit)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > limit {
			t.Fatalf("%q has %d runes, want at most %d", got, utf8.RuneCountInString(got), limit)
		}
		if !strings.Contains(strings.ToLower(got), strings.ToLower(name)) {
			t.Fatalf("%q does not contain %q", got, name)
		}
	})
}
