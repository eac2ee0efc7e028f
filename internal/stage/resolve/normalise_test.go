package resolve

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, want string }{
		{"Ebenezer  Scrooge", "ebenezer scrooge"},
		{"  \"SCROOGE\u2019S NEPHEW\"\n", "scrooge's nephew"},
		{"AT&amp;T", "at&t"},
		{"AT&amp;amp;T", "at&t"},
		{"caf&eacute;", "café"},
		{"CAFE\u0301", "café"},
		{"Straße", "strasse"},
		{"ＩＢＭ", "ibm"},
		{"\u201cThe Rock\u201d", "the rock"},
		{"Dwayne \"The Rock\" Johnson", "dwayne the rock johnson"},
		{"soft\u00adhyphen\u200b", "softhyphen"},
		{"a\x1fb", "a b"},
		{"\"'\"", ""},
		{"", ""},
	} {
		if got := Normalise(tc.name); got != tc.want {
			t.Errorf("Normalise(%q) = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"Scrooge", "&amp;amp;lt;", "\u00b4\u0345A", "ＡＴ＆amp;T", "İstanbul", "'\"a\"'", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		once := Normalise(name)
		if twice := Normalise(once); twice != once {
			t.Errorf("Normalise(%q) = %q, again %q", name, once, twice)
		}
		if got := Normalise(Spelling(name)); got != once {
			t.Errorf("the spelling of %q is a different entity: %q, want %q", name, got, once)
		}
		if strings.ContainsAny(once, "\x00\x1f\n\"") || strings.TrimSpace(once) != once {
			t.Errorf("Normalise(%q) = %q", name, once)
		}
	})
}

func TestNormaliseIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if once := Normalise(name); Normalise(once) != once {
			t.Fatalf("Normalise(%q) = %q, again %q", name, once, Normalise(once))
		}
	})
}

func TestNormaliseOfEveryRune(t *testing.T) {
	t.Parallel()
	for r := range rune(0x20000) {
		name := "a" + string(r) + "b"
		if once := Normalise(name); Normalise(once) != once {
			t.Errorf("Normalise(%q) = %+q, again %+q", name, once, Normalise(once))
		}
	}
}
