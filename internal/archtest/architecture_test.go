package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
