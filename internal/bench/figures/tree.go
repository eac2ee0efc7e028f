package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The numbers of a package. Lines include comments and empty lines; a name that
// two files declare for different systems counts once.
const (
	files     = iota // without tests
	lines            // of these files
	testLines        // of the tests
	names            // exported names of the package
	methods          // exported methods of exported types, interfaces included
	fields           // exported fields of exported structs
	numbers          // how many there are
)

// A tree holds what the source of one commit declares. Folders named testdata
// and hidden ones are left out; modules in subfolders are included.
type tree struct {
	packages         map[string][]int // by path below the root
	receivers        []counted        // types by their methods, most first
	functions        []counted        // functions and methods by their lines, most first
	fileLines        []int            // of the files without tests, ascending
	direct, indirect int              // modules that the go.mod of the root requires
	files            *token.FileSet
	seen             map[string]bool // declarations that are counted
}

// counted is a name with its package, such as "internal/query.Engine", and a number.
type counted struct {
	name  string
	count int
}

// readTree reads all Go files below a folder, and its go.mod.
func readTree(ctx context.Context, root string) (tree, error) {
	t := tree{packages: map[string][]int{}, files: token.NewFileSet(), seen: map[string]bool{}}
	receivers := map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		return t.file(path, filepath.ToSlash(folder), receivers)
	})
	if err != nil {
		return t, err
	}
	for name, n := range receivers {
		t.receivers = append(t.receivers, counted{name, n})
	}
	for _, list := range [][]counted{t.receivers, t.functions} {
		slices.SortFunc(list, func(a, b counted) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name)) })
	}
	slices.Sort(t.fileLines)
	return t, t.modules(ctx, root)
}

// file counts what one file declares; of a test only the lines count.
func (t *tree) file(path, pkg string, receivers map[string]int) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if t.packages[pkg] == nil {
		t.packages[pkg] = make([]int, numbers)
	}
	n := bytes.Count(body, []byte("\n"))
	if strings.HasSuffix(path, "_test.go") {
		t.packages[pkg][testLines] += n
		return nil
	}
	t.packages[pkg][files]++
	t.packages[pkg][lines] += n
	t.fileLines = append(t.fileLines, n)
	f, err := parser.ParseFile(t.files, path, body, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			t.function(pkg, decl, receivers)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				t.spec(pkg, spec)
			}
		}
	}
	return nil
}

// add counts a name if it is exported, and reports whether it is new: what was
// added before is not counted again.
func (t *tree) add(pkg string, kind int, name string, exported bool) bool {
	key := fmt.Sprint(kind, exported, pkg, ".", name)
	if t.seen[key] {
		return false
	}
	t.seen[key] = true
	if exported {
		t.packages[pkg][kind]++
	}
	return true
}

func (t *tree) function(pkg string, f *ast.FuncDecl, receivers map[string]int) {
	name, kind, exported := f.Name.Name, names, f.Name.IsExported()
	if f.Recv != nil {
		receiver := typeName(f.Recv.List[0].Type)
		name, kind, exported = receiver+"."+name, methods, exported && ast.IsExported(receiver)
		if t.add(pkg, kind, name, exported) {
			receivers[pkg+"."+receiver]++
		}
	} else {
		t.add(pkg, kind, name, exported)
	}
	span := t.files.Position(f.End()).Line - t.files.Position(f.Pos()).Line + 1
	t.functions = append(t.functions, counted{pkg + "." + name, span})
}

// spec counts the names of a constant, a variable or a type, and its members.
func (t *tree) spec(pkg string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			t.add(pkg, names, name.Name, name.IsExported())
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return
		}
		t.add(pkg, names, spec.Name.Name, true)
		switch of := spec.Type.(type) {
		case *ast.StructType:
			t.members(pkg, fields, spec.Name.Name, of.Fields)
		case *ast.InterfaceType:
			t.members(pkg, methods, spec.Name.Name, of.Methods)
		}
	}
}

// members counts the fields of a struct or the methods of an interface. What is
// embedded has the name of its type.
func (t *tree) members(pkg string, kind int, owner string, list *ast.FieldList) {
	for _, field := range list.List {
		all := field.Names
		if all == nil {
			all = []*ast.Ident{{Name: typeName(field.Type)}}
		}
		for _, name := range all {
			t.add(pkg, kind, owner+"."+name.Name, name.IsExported())
		}
	}
}

// typeName returns the name of a type without its package, pointer and type
// arguments, and "" for a type without one.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return ""
}

// modules counts the modules that the go.mod of a folder requires.
func (t *tree) modules(ctx context.Context, root string) error {
	out, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", filepath.Join(root, "go.mod")).Output()
	if err != nil {
		return fmt.Errorf("read go.mod of %s: %w", root, err)
	}
	var mod struct{ Require []struct{ Indirect bool } }
	if err := json.Unmarshal(out, &mod); err != nil {
		return fmt.Errorf("read go.mod of %s: %w", root, err)
	}
	for _, r := range mod.Require {
		if r.Indirect {
			t.indirect++
		} else {
			t.direct++
		}
	}
	return nil
}
