package source

import "testing"

func TestIgnoreRule(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pattern, path string
		folder, want  bool
	}{
		{"*.log", "a.log", false, true},
		{"*.log", "x/y/a.log", false, true},
		{"*.log", "a.log.txt", false, false},
		{"tmp", "tmp", true, true},
		{"tmp", "x/tmp", false, true},
		{"tmp/", "tmp", false, false},
		{"tmp/", "x/tmp", true, true},
		{"/tmp", "tmp", true, true},
		{"/tmp", "x/tmp", true, false},
		{"x/*.md", "x/a.md", false, true},
		{"x/*.md", "x/y/a.md", false, false},
		{"x/*.md", "z/x/a.md", false, false},
		{"x/**", "x/y/a.md", false, true},
		{"**/y", "x/y", true, true},
		{"**/y", "y", true, true},
		{"x/**/a.md", "x/a.md", false, true},
		{"x/**/a.md", "x/y/z/a.md", false, true},
		{"a?.txt", "ab.txt", false, true},
		{"a?.txt", "a/.txt", false, false},
		{"[a-c].txt", "b.txt", false, true},
		{"[!a-c].txt", "b.txt", false, false},
		{"[!a-c].txt", "d.txt", false, true},
		{"[a.txt", "[a.txt", false, true},
		{`\#a`, "#a", false, true},
		{`\!a`, "!a", false, true},
		{"a+(b).txt", "a+(b).txt", false, true},
		{"Zoë*", "Zoë 長.txt", false, true},
	} {
		r, err := compileIgnoreRule("", tc.pattern)
		if err != nil {
			t.Errorf("compileIgnoreRule(%q): %v", tc.pattern, err)
			continue
		}
		if got := r.matches(tc.path, tc.folder); got != tc.want {
			t.Errorf("%q matches %q (folder: %t) = %t, want %t", tc.pattern, tc.path, tc.folder, got, tc.want)
		}
	}
}

func TestIgnoreRulesApplyBelowTheirFolder(t *testing.T) {
	t.Parallel()
	rules, err := compileIgnoreRules("x/y", []string{"# comment", "", "  ", "!*.txt \r"})
	if err != nil || len(rules) != 1 || !rules[0].negated {
		t.Fatalf("compileIgnoreRules = %+v, %v, want one negated rule", rules, err)
	}
	for path, want := range map[string]bool{"x/y/a.txt": true, "x/y/z/a.txt": true, "x/a.txt": false, "x/yy/a.txt": false} {
		if got := rules[0].matches(path, false); got != want {
			t.Errorf("the rule of x/y matches %s = %t, want %t", path, got, want)
		}
	}
}

func FuzzIgnoreRule(f *testing.F) {
	f.Add("x/**/[!a-z]*.md/", "x/y/0.md")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if r, err := compileIgnoreRule("", pattern); err == nil {
			r.matches(path, true)
		}
	})
}
