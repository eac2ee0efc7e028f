package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCompared checks that each row of docs/compared.md names tests, and that each
// of them is a test of the package named with it.
func TestCompared(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("..", "..", "docs", "compared.md"))
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`(Test\\w+)`")
	pkg := regexp.MustCompile(`, (internal(?:/\w+)+|prompts)\b`)
	sources := map[string]string{}
	rows := 0
	for line := range strings.Lines(string(body)) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\|`, "/"), "|")
		if len(cells) != 5 || strings.HasPrefix(strings.TrimSpace(cells[1]), "**") || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[1], "Defect of") {
			continue
		}
		rows++
		for place := range strings.SplitSeq(cells[3], ";") {
			names, where := name.FindAllStringSubmatch(place, -1), pkg.FindStringSubmatch(place)
			if len(names) == 0 || where == nil {
				t.Errorf("%s: %q does not name a test and its package", strings.TrimSpace(cells[1]), strings.TrimSpace(place))
				continue
			}
			for _, n := range names {
				if !strings.Contains(tests(t, sources, where[1]), "\nfunc "+n[1]+"(t *testing.T)") {
					t.Errorf("%s: there is no %s in %s", strings.TrimSpace(cells[1]), n[1], where[1])
				}
			}
		}
	}
	if rows < 40 {
		t.Errorf("only %d rows of the table can be read: has its format changed?", rows)
	}
}

// tests returns the text of the test files of a package.
func tests(t *testing.T, known map[string]string, pkg string) string {
	t.Helper()
	if text, ok := known[pkg]; ok {
		return text
	}
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(body)
	}
	known[pkg] = all.String()
	return known[pkg]
}
