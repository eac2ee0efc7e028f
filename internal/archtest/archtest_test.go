// Package archtest tests the structure of the project: the layers of packages and
// who may import what, the comparison in docs/compared.md, and the choice of words.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/neorag/neorag/"

// layers lists the packages. A subpackage without its own row has the layer of its
// parent, and may import it.
var layers = map[string]int{
	"cmd/neorag": 7, "internal/cli": 6, "internal/bench": 6,
	"internal/eval": 5, "internal/eval/evalreport": 5, "internal/view/neobrowser": 5, "internal/testkit/biggraph": 5,
	"internal/browsertest": 6, "internal/browsertest/chromium": 1, "internal/browsertest/neo4jbrowser": 1, // a module
	"internal/query":       5,
	"internal/query/synth": 4, "internal/eval/assess": 4, "internal/eval/headtohead": 4, "internal/query/conversation": 4, "internal/testkit/neo4jtest/run": 4,
	"internal/index": 3, "internal/view/reportbook": 3, "internal/view/htmlmap": 3,
	"internal/query/retrieve": 3, "internal/query/cite": 3, "internal/query/route": 3, "internal/query/keywords": 3, "internal/query/expand": 3,
	"internal/leiden/edgelist": 2, "internal/source": 2, "internal/stage/chunk": 2, "internal/stage/extract": 2, "internal/stage/resolve": 2,
	"internal/stage/community": 2, "internal/stage/report": 2, "internal/view/export": 2, "internal/store/neo4jstore": 2, "internal/store/neo4jstore/internal/arcs": 1, "internal/testkit/neo4jtest": 2,
	"internal/store/localneo4j/lock": 2, "internal/testkit/fakemodel": 2, "internal/config": 2, "internal/stage/querygen": 2, "internal/eval/evalimport": 2, "internal/eval/personas": 2, "internal/stage/tune": 3,
	"internal/text/textproc": 1, "internal/eval/evalrun": 1, "internal/eval/claimset": 1, "internal/view/exportdiff": 1, "internal/view/layout": 1, "internal/leiden": 1, "internal/stage/qcg": 1, "internal/query/rank": 1, "internal/store/localneo4j": 1,
	"internal/llm": 1, "internal/llm/httplimit": 0, "internal/ui/terminal": 2, "internal/ui/markdown": 1,
	"cypher": 0, "docker": 0, "prompts": 0, "internal/graph": 0, "internal/eval/stats": 0, "internal/view/communitycolor": 0,
	"internal/text/tokens": 0, "internal/testkit/testcorpora": 0, "internal/testkit/faulttest": 0, "internal/testkit/testtimes": 0, "internal/config/yaml": 0, "internal/archtest": 0,
	"internal/text": 0, "internal/text/language": 0, "internal/sys/glob": 0, "internal/sys/panicerr": 0, "internal/store/bolt": 0, "internal/text/sanitize": 0,
	"internal/sys/userfile": 0, "internal/sys/childenv": 0, "internal/sys/watch": 0,
	"internal/source/pdftext": 1, "internal/testkit/disktest": 1,
}

// owners are the packages that alone may import a module or a package, in the code
// of the program; tests may import it anywhere. An owner's subpackages are owners too.
var owners = map[string]string{
	"github.com/neo4j/":                 "internal/store/neo4jstore internal/testkit/neo4jtest",
	module + "cypher":                   "internal/store/neo4jstore internal/cli internal/bench", // a command shows the saved queries, a benchmark measures them
	"github.com/urfave/cli":             "internal/cli",
	"github.com/lmittmann/tint":         "internal/cli",
	"golang.org/x/term":                 "internal/ui/terminal",
	"github.com/pkoukk/":                "internal/text/tokens",
	"github.com/openai/":                "internal/llm/openai",
	"github.com/blevesearch/":           "internal/text/language",
	"github.com/goccy/go-yaml":          "internal/config/yaml",
	"github.com/JohannesKaufmann/":      "internal/source",
	"github.com/klippa-app/go-pdfium":   "internal/source/pdftext",
	"github.com/tetratelabs/wazero":     "internal/source/pdftext",
	"github.com/yuin/goldmark":          "internal/ui/markdown",
	"github.com/fsnotify/fsnotify":      "internal/sys/watch",
	"github.com/chromedp/":              "internal/browsertest",
	module + "internal/index":           "internal/cli internal/bench",
	module + "internal/query":           "internal/cli internal/bench",
	module + "internal/view/reportbook": "internal/cli",
	module + "internal/cli":             "cmd/neorag",
}

// An imported is a package as the code of the program imports it.
type imported struct{ name, by string }

// TestLayers fails on a package without a layer, on an import of the same layer or
// a higher one, on an import by a package that is no owner, and on a row of either
// table that nothing uses.
func TestLayers(t *testing.T) {
	packages, imports := readImports(t, filepath.Join("..", ".."))
	for pkg := range packages {
		if _, ok := layerOf(pkg); !ok {
			t.Errorf("package %s has no layer: add it to the table", pkg)
		}
	}
	for pkg := range layers {
		if !packages[pkg] {
			t.Errorf("the table of layers has a row for %s, and there is no such package: remove it", pkg)
		}
	}
	for _, i := range imports {
		if owned := ownedPrefix(i.name); owned != "" && !isOwner(i.by, owned) && i.name != module+i.by {
			t.Errorf("%s imports %s: only %s may", i.by, i.name, owners[owned])
		}
		name, ours := strings.CutPrefix(i.name, module)
		if !ours || name == i.by || strings.HasPrefix(i.by, name+"/") || strings.HasPrefix(name, i.by+"/") {
			continue
		}
		own, _ := layerOf(i.by)
		if layer, known := layerOf(name); known && layer >= own {
			t.Errorf("%s (layer %d) imports %s (layer %d): a package imports only lower layers", i.by, own, name, layer)
		}
	}
	for prefix, list := range owners {
		for owner := range strings.FieldsSeq(list) {
			if !slices.ContainsFunc(imports, func(i imported) bool { return ownedPrefix(i.name) == prefix && within(i.by, owner) }) {
				t.Errorf("the table of owners lets %s import %s, which it does not: remove it", owner, prefix)
			}
		}
	}
}

// readImports returns the folders below root that hold Go files, and the imports
// of these files except tests. Nested modules are included.
func readImports(t *testing.T, root string) (packages map[string]bool, imports []imported) {
	t.Helper()
	packages = map[string]bool{}
	for path := range goFiles(t, root) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		packages[pkg] = true
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imports = append(imports, imported{name, pkg})
		}
	}
	return packages, imports
}

// goFiles yields the paths, relative to root, of the Go files below it. Folders
// named testdata or bin and hidden ones are left out.
func goFiles(t *testing.T, root string) iter.Seq[string] {
	t.Helper()
	return func(yield func(string) bool) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
				return fs.SkipDir
			}
			if d.IsDir() || filepath.Ext(path) != ".go" {
				return nil
			}
			rel, err := filepath.Rel(root, path)
			if err == nil && !yield(rel) {
				err = fs.SkipAll
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// layerOf returns the layer of a package: that of its row, or of the nearest
// parent with a row.
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

// ownedPrefix returns the row of owners that an import falls under, "" for none.
func ownedPrefix(name string) string {
	for prefix := range owners {
		if name == prefix || strings.HasPrefix(name, prefix) && (strings.HasSuffix(prefix, "/") || name[len(prefix)] == '/') {
			return prefix
		}
	}
	return ""
}

// isOwner reports whether a package is one of the owners of a row.
func isOwner(pkg, prefix string) bool {
	for owner := range strings.FieldsSeq(owners[prefix]) {
		if within(pkg, owner) {
			return true
		}
	}
	return false
}

// within reports whether a package is the owner or below it.
func within(pkg, owner string) bool { return pkg == owner || strings.HasPrefix(pkg, owner+"/") }
