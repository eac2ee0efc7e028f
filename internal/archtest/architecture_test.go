package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArchitecture checks that the tree of folders in ARCHITECTURE.md has exactly the folders
// with code.
func TestArchitecture(t *testing.T) {
	root := filepath.Join("..", "..")
	body, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(string(body), "\n## Folders\n")
	tree, _, _ = strings.Cut(tree, "\n## ")
	want, got := []string{}, []string{}
	for _, row := range regexp.MustCompile(`(?m)^(  )?([a-z/]+)  +\S`).FindAllStringSubmatch(tree, -1) {
		if row[1] != "" {
			row[2] = "internal/" + row[2]
		}
		got = append(got, row[2])
	}
	packages, _ := readImports(t, root)
	for pkg := range packages {
		want = append(want, room(pkg))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("folders of ARCHITECTURE.md (-want +got):\n%s", diff)
	}
}

// room returns the folder of the tree that a package belongs to.
func room(pkg string) string {
	parts := strings.Split(pkg, "/")
	if parts[0] == "internal" || parts[0] == "cmd" {
		return strings.Join(parts[:2], "/")
	}
	return parts[0]
}

// TestPackageDocs checks that every folder below internal has a doc.go, whose comment names the
// subpackages.
func TestPackageDocs(t *testing.T) {
	root := filepath.Join("..", "..")
	packages, _ := readImports(t, root)
	for pkg := range packages {
		folder := room(pkg)
		if !strings.HasPrefix(folder, "internal/") || folder == "internal/archtest" || folder == "internal/browsertest" {
			continue
		}
		doc, err := os.ReadFile(filepath.Join(root, folder, "doc.go"))
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		name, sub := strings.CutPrefix(pkg, folder+"/")
		if sub && !strings.Contains(name, "/") && !regexp.MustCompile(`\b`+name+`\b`).Match(doc) {
			t.Errorf("%s/doc.go does not name the subpackage %s", folder, name)
		}
	}
}

// TestNamedFiles checks that every Go file that ARCHITECTURE.md names exists, and every path that
// the page for first contributions names.
func TestNamedFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	var files []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		files = append(files, filepath.ToSlash(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for page, pattern := range map[string]string{
		"ARCHITECTURE.md":             "`([\\w/]+\\.go)`",
		"docs/first-contributions.md": "`(\\w+/[\\w/.]+)`",
	} {
		names := regexp.MustCompile(pattern).FindAllStringSubmatch(readFile(t, filepath.Join(root, page)), -1)
		if len(names) < 20 {
			t.Errorf("%s: %d file names found: they are written differently now", page, len(names))
		}
		for _, name := range names {
			if !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+name[1]) }) {
				t.Errorf("%s names %s, which does not exist", page, name[1])
			}
		}
	}
}
