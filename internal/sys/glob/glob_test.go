package glob

import "testing"

func TestCompile(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.md", "a.md", true},
		{"*.md", "docs/a.md", false},
		{"docs/*", "docs/a.md", true},
		{"docs/*", "docs/x/a.md", false},
		{"docs/**", "docs/x/a.md", true},
		{"docs/**/a.md", "docs/a.md", true},
		{"docs/**/a.md", "docs/x/y/a.md", true},
		{"?.txt", "ü.txt", true},
		{"?.txt", "/.txt", false},
		{"[ab].txt", "b.txt", true},
		{"[!ab].txt", "b.txt", false},
		{"[ab.txt", "[ab.txt", true},
		{`\*.txt`, "*.txt", true},
		{`\*.txt`, "a.txt", false},
		{"a.b", "aXb", false},
		{"**", "a\nb", true},
	} {
		re, err := Compile(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := re.MatchString(c.name); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("docs/**/[!a-z]?.md", "docs/x/1.md")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if re, err := Compile(pattern); err == nil {
			re.MatchString(name)
		}
	})
}
