package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The numbers of a package. Lines include comments and empty lines; a name that two files
// declare for different systems counts once.
const (
	files     = iota // without tests
	lines            // of these files
	testLines        // of the tests
	names            // exported names of the package
	methods          // exported methods of exported types, interfaces included
	fields           // exported fields of exported structs
	numbers          // how many there are
)

// A tree holds what the source of one commit declares. Folders named testdata and hidden
// ones are left out; modules in subfolders are included.
type tree struct {
	packages         map[string][]float64 // by path below the root
	uses             map[string][]float64 // lines of each package by what they are for: see uses
	receivers        map[string][]float64 // methods of each type, such as "internal/query.Engine"
	functions        map[string][]float64 // lines of each function or method
	spans, fileLines []float64            // lines of all functions, and of all files without tests
	direct, indirect float64              // modules that the go.mod of the root requires
	fset             *token.FileSet
	seen             map[string]bool // declarations that are counted
}

// readTree reads all Go files below a folder, and its go.mod.
func readTree(root string) (tree, error) {
	t := tree{packages: map[string][]float64{}, uses: map[string][]float64{}, receivers: map[string][]float64{}, functions: map[string][]float64{}, fset: token.NewFileSet(), seen: map[string]bool{}}
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
		return t.file(path, filepath.ToSlash(folder))
	})
	if err != nil {
		return t, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	for _, m := range requirement.FindAllSubmatch(mod, -1) {
		if len(m[1]) > 0 {
			t.indirect++
		} else {
			t.direct++
		}
	}
	return t, err
}

// requirement matches a line of go.mod that requires a module.
var requirement = regexp.MustCompile(`(?m)^(?:require |\t)\S+ v\S+( // indirect)?$`)

// file counts what one file declares; of a test only the lines count.
func (t *tree) file(path, pkg string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if t.packages[pkg] == nil {
		t.packages[pkg] = make([]float64, numbers)
	}
	n := float64(bytes.Count(body, []byte("\n")))
	if t.uses[pkg] == nil {
		t.uses[pkg] = make([]float64, len(uses))
	}
	t.uses[pkg][useOf(path, pkg, body)] += n
	if strings.HasSuffix(path, "_test.go") {
		t.packages[pkg][testLines] += n
		return nil
	}
	t.packages[pkg][files]++
	t.packages[pkg][lines] += n
	t.fileLines = append(t.fileLines, n)
	f, err := parser.ParseFile(t.fset, path, body, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, decl := range f.Decls {
		t.declare(pkg, decl)
	}
	return nil
}

// add counts a name if it is exported, and reports whether it is new: a name that was
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

// declare counts the names that a declaration declares.
func (t *tree) declare(pkg string, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name, kind, exported := decl.Name.Name, names, decl.Name.IsExported()
		if decl.Recv != nil {
			receiver := typeName(decl.Recv.List[0].Type)
			name, kind, exported = receiver+"."+name, methods, exported && ast.IsExported(receiver)
			if t.add(pkg, kind, name, exported) {
				if t.receivers[pkg+"."+receiver] == nil {
					t.receivers[pkg+"."+receiver] = []float64{0}
				}
				t.receivers[pkg+"."+receiver][0]++
			}
		} else {
			t.add(pkg, kind, name, exported)
		}
		span := float64(t.fset.Position(decl.End()).Line - t.fset.Position(decl.Pos()).Line + 1)
		t.spans = append(t.spans, span)
		if old := t.functions[pkg+"."+name]; old == nil || old[0] < span {
			t.functions[pkg+"."+name] = []float64{span}
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					t.add(pkg, names, name.Name, name.IsExported())
				}
			case *ast.TypeSpec:
				t.add(pkg, names, spec.Name.Name, spec.Name.IsExported())
				t.members(pkg, spec)
			}
		}
	}
}

// members counts the fields of a struct or the methods of an interface. An embedded one
// has the name of its type.
func (t *tree) members(pkg string, spec *ast.TypeSpec) {
	kind, list := fields, []*ast.Field(nil)
	switch of := spec.Type.(type) {
	case *ast.StructType:
		list = of.Fields.List
	case *ast.InterfaceType:
		kind, list = methods, of.Methods.List
	}
	for _, field := range list {
		all := field.Names
		if all == nil {
			all = []*ast.Ident{{Name: typeName(field.Type)}}
		}
		for _, name := range all {
			t.add(pkg, kind, spec.Name.Name+"."+name.Name, spec.Name.IsExported() && name.IsExported())
		}
	}
}

// typeName returns the name of a type without its package, pointer and type arguments.
func typeName(e ast.Expr) string {
	name, _, _ := strings.Cut(strings.TrimLeft(types.ExprString(e), "*"), "[")
	return name[strings.LastIndexByte(name, '.')+1:]
}
