package archtest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var change = regexp.MustCompile("^(Added|Changed|Fixed|Removed|Security): [A-Z`].{10,300}\\.\n$")

// TestChangelog checks that each change that is not released yet has the form that
// changelog/TEMPLATE.md asks for, and that CHANGELOG.md lists releases only.
func TestChangelog(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	files, err := filepath.Glob(filepath.Join(root, "changelog", "unreleased", "[^.]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text := readFile(t, file); filepath.Ext(file) != ".md" || !change.MatchString(text) {
			t.Errorf("%s does not have the form of changelog/TEMPLATE.md: %q", file, text)
		}
	}
	release := regexp.MustCompile(`^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n$`)
	for line := range strings.Lines(readFile(t, filepath.Join(root, "CHANGELOG.md"))) {
		if strings.HasPrefix(line, "## ") && !release.MatchString(line) {
			t.Errorf("CHANGELOG.md: %q is not a release: changes belong in changelog/unreleased", line)
		}
	}
}
