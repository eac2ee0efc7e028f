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

// layers lists the packages from the lowest layer to the highest. A package imports only lower
// layers, whether these are its subpackages, its parent or others.
var layers = [][]string{
	{
		"cypher", "docker", "internal/graph", "internal/archtest", "internal/config/yaml", "internal/eval/stats", "internal/leiden",
		"internal/llm/httplimit", "internal/query/rank", "internal/source/pdftext/pdftest", "internal/stage/qcg",
		"internal/store/bolt", "internal/store/neo4jstore/internal/arcs", "internal/store/neo4jstore/usercypher",
		"internal/sys/childenv", "internal/sys/glob", "internal/sys/panicerr", "internal/sys/telemetry", "internal/sys/userfile", "internal/sys/wait", "internal/sys/watch",
		"internal/testkit/faulttest", "internal/testkit/natstest", "internal/testkit/testcorpora", "internal/testkit/testtimes",
		"internal/text", "internal/text/language", "internal/text/sanitize", "internal/text/tokens",
		"internal/view/layout",
	},
	{
		"prompts", "cypher/internal/gen", "internal/eval/claimset", "internal/eval/evalrun", "internal/leiden/edgelist", "internal/llm/known", "internal/llm/llmtest", "internal/llm/localmodels", "internal/llm/rerank",
		"internal/source/decode", "internal/source/pdftext", "internal/stage/community", "internal/store/localneo4j/jars", "internal/store/neo4jstore",
		"internal/sys/parallel", "internal/testkit/disktest", "internal/text/textproc", "internal/ui/markdown",
		"internal/view/communitycolor", "internal/view/exportdiff",
	},
	{"internal/llm", "internal/source/parse", "internal/source/plain", "internal/view/export", "internal/view/neobrowser"},
	{"internal/source/markup", "internal/source/office", "internal/source/sheets"},
	{"internal/source/html", "internal/source/odt", "internal/source/rtf", "internal/source/slides"},
	{"internal/source/epub", "internal/source/mail", "internal/source/word"},
	{
		"internal/eval/evalimport", "internal/eval/personas", "internal/llm/calllog", "internal/llm/openai", "internal/llm/prices", "internal/llm/remote", "internal/source",
		"internal/query/expand", "internal/query/keywords", "internal/query/retrieve/snapshot", "internal/query/retrieve/snapshot/snapshottest", "internal/query/route",
		"internal/stage/chunk", "internal/stage/extract", "internal/stage/querygen", "internal/stage/report", "internal/stage/resolve",
		"internal/store/localneo4j", "internal/store/localneo4j/lock", "internal/store/neo4jstore/usergraph",
		"internal/testkit/fakemodel", "internal/ui/terminal", "internal/view/htmlmap", "internal/view/reportbook",
	},
	{
		"internal/config", "internal/query/cite", "internal/query/retrieve", "internal/source/filestate", "internal/source/web",
		"internal/stage/tune", "internal/testkit/biggraph", "internal/testkit/neo4jtest", "internal/view/htmlmap/pagetest",
	},
	{
		"internal/eval/score", "internal/eval/headtohead", "internal/index", "internal/query/conversation", "internal/query/synth",
		"internal/testkit/neo4jtest/run",
	},
	{"internal/cli/table", "internal/eval", "internal/eval/evalreport", "internal/query"},
	{
		"internal/cli/userdata",
		"internal/query/methods/basic", "internal/query/methods/d2q", "internal/query/methods/fused", "internal/query/methods/hyde",
		"internal/query/methods/kgr", "internal/query/methods/lazy", "internal/query/methods/light", "internal/query/methods/linear",
		"internal/query/methods/mini", "internal/query/methods/ppr", "internal/query/methods/qcg", "internal/query/methods/rq",
		"internal/query/methods/text", "internal/query/overview",
	},
	{"internal/query/methods/global", "internal/query/methods/local"},
	{"internal/query/methods/auto", "internal/query/methods/drift"},
	{"internal/query/methods", "internal/server/files", "internal/server/runs", "internal/server/service"},
	{"internal/server", "internal/server/mcp", "internal/server/servertest"},
	{"internal/cli"},
	{"cmd/neorag", "cmd/neorag/manpage"},
}

// modules are folders with programs that are no part of the program: their packages import any
// package of the program and of their module, and no other package imports one of them.
var modules = []string{"internal/bench", "internal/browsertest"}

// groups are the folders whose own package holds only a comment.
var groups = []string{"internal/stage", "internal/store", "internal/sys", "internal/testkit", "internal/ui", "internal/view"}

// owners are the packages that alone may import a module or a package, in the code
// of the program; tests may import it anywhere. An owner's subpackages are owners too.
var owners = map[string]string{
	"github.com/neo4j/":                 "internal/store/neo4jstore internal/testkit/neo4jtest",
	module + "cypher":                   "cypher/internal/gen internal/store/neo4jstore internal/cli internal/bench internal/testkit/biggraph internal/server/service", // a command shows the saved queries, a benchmark measures them, and one makes a graph with them
	"github.com/urfave/cli":             "internal/cli",
	"github.com/lmittmann/tint":         "internal/cli",
	"golang.org/x/term":                 "internal/ui/terminal",
	"github.com/pkoukk/":                "internal/text/tokens",
	"github.com/openai/":                "internal/llm/openai",
	"github.com/nats-io/":               "internal/llm/remote internal/testkit/natstest",
	"github.com/klauspost/compress":     "internal/llm/remote",
	"github.com/blevesearch/":           "internal/text/language",
	"github.com/goccy/go-yaml":          "internal/config/yaml",
	"github.com/JohannesKaufmann/":      "internal/source/html",
	"github.com/klippa-app/go-pdfium":   "internal/source/pdftext",
	"github.com/tetratelabs/wazero":     "internal/source/pdftext",
	"github.com/yuin/goldmark":          "internal/ui/markdown",
	"github.com/fsnotify/fsnotify":      "internal/sys/watch",
	"go.opentelemetry.io/":              "internal/sys/telemetry",
	"github.com/go-logr/":               "internal/sys/telemetry",
	"github.com/danielgtaylor/huma":     "internal/server",
	"github.com/modelcontextprotocol/":  "internal/server/mcp",
	"github.com/chromedp/":              "internal/browsertest",
	module + "internal/index":           "internal/cli internal/bench internal/server/servertest",
	module + "internal/query":           "internal/cli internal/bench internal/query internal/server",
	module + "internal/view/reportbook": "internal/cli internal/server",
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
		if layerOf(pkg) < 0 && !inModule(pkg) && !slices.Contains(groups, pkg) {
			t.Errorf("package %s has no layer: add it to the table", pkg)
		}
	}
	for _, pkg := range slices.Concat(append(slices.Clone(layers), groups, modules)...) {
		if !packages[pkg] && !slices.Contains(modules, pkg) {
			t.Errorf("a table has a row for %s, and there is no such package: remove it", pkg)
		}
	}
	for _, i := range imports {
		if owned := ownedPrefix(i.name); owned != "" && !isOwner(i.by, owned) && i.name != module+i.by {
			t.Errorf("%s imports %s: only %s may", i.by, i.name, owners[owned])
		}
		name, ours := strings.CutPrefix(i.name, module)
		switch {
		case !ours || inModule(i.by) && (!inModule(name) || moduleOf(name) == moduleOf(i.by)):
		case inModule(name):
			t.Errorf("%s imports %s, which belongs to another module", i.by, name)
		case layerOf(name) >= layerOf(i.by):
			t.Errorf("%s (layer %d) imports %s (layer %d): a package imports only lower layers", i.by, layerOf(i.by), name, layerOf(name))
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

// layerOf returns the layer of a package, -1 if it has none.
func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, pkg) })
}

// moduleOf returns the folder of the module that a package belongs to, "" for the program.
func moduleOf(pkg string) string {
	i := slices.IndexFunc(modules, func(folder string) bool { return within(pkg, folder) })
	if i < 0 {
		return ""
	}
	return modules[i]
}

func inModule(pkg string) bool { return moduleOf(pkg) != "" }

// ownedPrefix returns the row of owners that an import falls under, "" for none. A row with a
// package of the program means that package alone, without its subpackages.
func ownedPrefix(name string) string {
	for prefix := range owners {
		if name == prefix || strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, module) &&
			(strings.HasSuffix(prefix, "/") || name[len(prefix)] == '/') {
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
