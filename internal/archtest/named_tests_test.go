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
	rows := tableRows(t, "compared.md", "Defect of", 3)
	if len(rows) < 40 {
		t.Errorf("only %d rows of the table can be read: has its format changed?", len(rows))
	}
	sources := map[string]string{}
	for _, row := range rows {
		checkNamedTests(t, sources, row[0], row[2])
	}
}

var makeTarget = regexp.MustCompile("^`make ([a-z-]+)[^`]*`$")

// TestFaults checks that each row of docs/faults.md names tests or targets of make,
// and that they exist.
func TestFaults(t *testing.T) {
	rows := tableRows(t, "faults.md", "Fault or attack", 4)
	if len(rows) < 60 {
		t.Errorf("only %d rows of the tables can be read: has their format changed?", len(rows))
	}
	makefile := readFile(t, filepath.Join("..", "..", "Makefile"))
	sources := map[string]string{}
	for _, row := range rows {
		var named []string
		for place := range strings.SplitSeq(row[2], ";") {
			place = strings.TrimSpace(place)
			target := makeTarget.FindStringSubmatch(place)
			if target == nil {
				named = append(named, place)
			} else if !strings.Contains(makefile, "\n"+target[1]+":") {
				t.Errorf("%s: make has no target %s", row[0], target[1])
			}
		}
		if len(named) > 0 {
			checkNamedTests(t, sources, row[0], strings.Join(named, ";"))
		}
	}
}

// tableRows returns the first three cells of the rows of the tables with that many columns
// in a file of docs, without headings.
func tableRows(t *testing.T, file, head string, columns int) [][3]string {
	t.Helper()
	var rows [][3]string
	for line := range strings.Lines(readFile(t, filepath.Join("..", "..", "docs", file))) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `\|`, "/"), "|")
		if len(cells) != columns+2 || strings.HasPrefix(strings.TrimSpace(cells[1]), "**") || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[1], head) {
			continue
		}
		rows = append(rows, [3]string{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])})
	}
	return rows
}

var (
	testName    = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	testPackage = regexp.MustCompile(`, (internal(?:/\w+)+|prompts|cypher)\b`)
)

// checkNamedTests checks that a cell of a row names tests with their packages, and
// that they exist: "`TestA`, `TestB`, internal/stage/chunk; `TestC`, internal/cli".
func checkNamedTests(t *testing.T, sources map[string]string, row, cell string) {
	t.Helper()
	for place := range strings.SplitSeq(cell, ";") {
		names, where := testName.FindAllStringSubmatch(place, -1), testPackage.FindStringSubmatch(place)
		if len(names) == 0 || where == nil {
			t.Errorf("%s: %q does not name a test and its package", row, strings.TrimSpace(place))
			continue
		}
		for _, n := range names {
			if !strings.Contains(tests(t, sources, where[1]), "\nfunc "+n[1]+"("+strings.ToLower(n[1][:1])+" *testing."+n[1][:1]+")") {
				t.Errorf("%s: there is no %s in %s", row, n[1], where[1])
			}
		}
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
		all.WriteString(readFile(t, f))
	}
	known[pkg] = all.String()
	return known[pkg]
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
