// Package archtest holds the table of layers: a package imports only lower ones.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/neorag/neorag/"

// layers lists every package that is part of the program. A subpackage without
// a line of its own has the layer of its parent, and may import it.
var layers = map[string]int{
	"cmd/neorag": 7, "internal/cli": 6, "internal/bench": 6,
	"internal/eval": 5, "internal/neobrowser": 5, "internal/neobrowser/browser": 1, "internal/bench/biggraph": 5,
	"internal/query": 4, "internal/neo4jtest/run": 4,
	"internal/index": 3, "internal/reportbook": 3, "internal/htmlmap": 3,
	"internal/edgelist": 2, "internal/source": 2, "internal/chunk": 2, "internal/extract": 2, "internal/resolve": 2,
	"internal/community": 2, "internal/report": 2, "internal/export": 2, "internal/neo4jstore": 2, "internal/neo4jstore/internal/arcs": 1, "internal/neo4jtest": 2,
	"internal/localneo4j/lock": 2, "internal/fakemodel": 2,
	"internal/textproc": 1, "internal/layout": 1, "internal/leiden": 1, "internal/rank": 1, "internal/localneo4j": 1,
	"internal/llm": 1, "internal/config": 1, "internal/terminal": 1,
	"cypher": 0, "docker": 0, "prompts": 0, "internal/markdown": 0, "internal/graph": 0, "internal/communitycolor": 0,
	"internal/tokens": 0, "internal/testcorpora": 0, "internal/config/yaml": 0, "internal/archtest": 0,
	"internal/text": 0, "internal/glob": 0, "internal/panicerr": 0, "internal/bolt": 0,
}

// owners are the packages that alone may import a module.
var owners = map[string]string{
	"github.com/neo4j/":               "internal/neo4jstore internal/neo4jtest",
	module + "cypher":                 "internal/neo4jstore internal/cli internal/bench internal/neobrowser", // a command, and the guide, show the saved queries
	"github.com/urfave/cli":           "internal/cli",
	"github.com/lmittmann/tint":       "internal/cli",
	"golang.org/x/term":               "internal/terminal",
	"github.com/pkoukk/":              "internal/tokens",
	"github.com/openai/":              "internal/llm/openai",
	"github.com/kljensen/snowball":    "internal/textproc",
	"github.com/clipperhouse/uax29":   "internal/textproc",
	"github.com/goccy/go-yaml":        "internal/config/yaml",
	"github.com/JohannesKaufmann/":    "internal/source",
	"github.com/ledongthuc/pdf":       "internal/source",
	"github.com/yuin/goldmark":        "internal/cli",
	"github.com/rogpeppe/go-internal": "internal/cli",
	"github.com/chromedp/":            "internal/neobrowser/browser internal/htmlmap/pagetest",
	module + "internal/index":         "internal/cli internal/bench",
	module + "internal/query":         "internal/cli internal/bench internal/eval internal/server",
	module + "internal/reportbook":    "internal/cli internal/server",
	module + "internal/cli":           "cmd/neorag internal/bench",
}

func TestLayers(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		seen[pkg] = true
		check(t, path, pkg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range seen {
		if _, ok := layerOf(pkg); !ok {
			t.Errorf("package %s has no layer: add it to the table", pkg)
		}
	}
}

func check(t *testing.T, path, pkg string) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, body, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := layerOf(pkg)
	test := strings.HasSuffix(path, "_test.go")
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if owner := ownerOf(name); owner != "" && !test && !within(pkg, owner) && name != module+pkg {
			t.Errorf("%s imports %s: only %s may", pkg, name, owner)
		}
		imported, ours := strings.CutPrefix(name, module)
		if !ours || test || imported == pkg || strings.HasPrefix(pkg, imported+"/") || strings.HasPrefix(imported, pkg+"/") {
			continue
		}
		layer, known := layerOf(imported)
		if known && layer >= own {
			t.Errorf("%s (layer %d) imports %s (layer %d): a package imports only lower layers", pkg, own, imported, layer)
		}
	}
}

func layerOf(pkg string) (int, bool) {
	for p := pkg; p != "." && p != ""; p = parent(p) {
		if l, ok := layers[p]; ok {
			return l, true
		}
	}
	return 0, false
}

func parent(p string) string {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return ""
	}
	return p[:i]
}

func ownerOf(name string) string {
	for prefix, owner := range owners {
		if name == prefix || strings.HasPrefix(name, prefix) && (strings.HasSuffix(prefix, "/") || name[len(prefix)] == '/') {
			return owner
		}
	}
	return ""
}

// within reports whether a package is one of the owners or below one.
func within(pkg, owners string) bool {
	for owner := range strings.FieldsSeq(owners) {
		if pkg == owner || strings.HasPrefix(pkg, owner+"/") {
			return true
		}
	}
	return false
}
