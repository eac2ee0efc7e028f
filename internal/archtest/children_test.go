package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestChildrenHaveTheirOwnEnvironment checks that each function of the program that
// creates a child process sets its environment: without it, the child inherits every
// key and password. It also checks that nothing is kept in the folder for temporary
// files, which all users share.
func TestChildrenHaveTheirOwnEnvironment(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	created := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if name := d.Name(); err == nil && (name == "testdata" || name == "bench" || name == "browsertest" || name == "neo4jtest" || len(name) > 2 && name[0] == '.') {
				return filepath.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			used := selectors(decl)
			if used["os.TempDir"] {
				t.Errorf("%s uses os.TempDir", path)
			}
			if !used["exec.Command"] && !used["exec.CommandContext"] {
				continue
			}
			created++
			if !used["cmd.Env"] {
				t.Errorf("%s creates a child process without cmd.Env", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if created < 7 {
		t.Errorf("%d functions create a child process: the test does not find them", created)
	}
}

// selectors returns the names X.Y in a declaration.
func selectors(decl ast.Decl) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				found[x.Name+"."+s.Sel.Name] = true
			}
		}
		return true
	})
	return found
}
