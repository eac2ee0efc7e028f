package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestArchitecture checks that the table of layers in ARCHITECTURE.md has the packages of
// the table in this package, except subpackages.
func TestArchitecture(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[int][]string{}, map[int][]string{}
	for pkg, layer := range layers {
		if _, sub := layerOf(parent(pkg)); !sub {
			want[layer] = append(want[layer], pkg)
		}
	}
	name := regexp.MustCompile("`([\\w/]+)`")
	for _, row := range regexp.MustCompile(`(?m)^\| (\d) \| (.*) \|$`).FindAllStringSubmatch(string(body), -1) {
		layer, _ := strconv.Atoi(row[1])
		for _, m := range name.FindAllStringSubmatch(row[2], -1) {
			pkg := m[1]
			if _, short := layers["internal/"+pkg]; short {
				pkg = "internal/" + pkg
			}
			got[layer] = append(got[layer], pkg)
		}
	}
	for _, table := range []map[int][]string{want, got} {
		for _, packages := range table {
			slices.Sort(packages)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers of ARCHITECTURE.md (-want +got):\n%s", diff)
	}
}

// TestArchitectureFiles checks that every Go file that ARCHITECTURE.md names exists.
func TestArchitectureFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	body, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		files = append(files, filepath.ToSlash(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(string(body), -1)
	if len(names) < 20 {
		t.Errorf("%d file names found: they are written differently now", len(names))
	}
	for _, name := range names {
		if !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+name[1]) }) {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", name[1])
		}
	}
}
