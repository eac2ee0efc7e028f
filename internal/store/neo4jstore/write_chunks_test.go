package neo4jstore

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCaption(t *testing.T) {
	for _, test := range []struct {
		text       string
		start, end int
		want       string
	}{
		{"", 0, 0, ""},
		{"one  two\nthree", 0, 14, "one two…"},
		{"one two", 4, 7, "two"},
		{"ä ö ü ß é à è", 0, 20, "ä ö ü ß…"},
		{"one", -1, 3, ""},
		{"one", 2, 1, ""},
		{"one", 0, 4, ""},
		{"ää", 1, 4, "ä"},
	} {
		if got := caption(test.text, test.start, test.end, 10); got != test.want {
			t.Errorf("caption(%q, %d, %d) = %q, want %q", test.text, test.start, test.end, got, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(1, 20).Draw(t, "n")
		got := caption(text, rapid.IntRange(-1, 9).Draw(t, "start"), rapid.IntRange(-1, 30).Draw(t, "end"), n)
		if utf8.RuneCountInString(got) > n || !utf8.ValidString(got) {
			t.Fatalf("caption = %q", got)
		}
	})
}

func TestMetaName(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"From", "meta_from"},
		{" X-Mailer ", "meta_x_mailer"},
		{"Größe", "meta_gr__e"},
		{"a`b", "meta_a_b"},
		{"", "meta_"},
	} {
		if got := metaName(tt.name); got != tt.want {
			t.Errorf("metaName(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
