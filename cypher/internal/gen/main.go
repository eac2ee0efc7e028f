// Command gen writes the Go files that are made of the headers of the statements:
// cypher/statements.gen.go and internal/store/neo4jstore/rows.gen.go. go generate ./cypher runs
// it in the folder cypher.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/neorag/neorag/cypher"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// write writes the files, given the path of the folder cypher.
func write(folder string) error {
	made, err := generate(folder)
	if err != nil {
		return err
	}
	for name, text := range made {
		if err := os.WriteFile(path.Join(folder, name), text, 0o644); err != nil { //nolint:gosec // source code
			return err
		}
	}
	return nil
}

// A statement is what the templates need of a file.
type statement struct {
	Name    cypher.Statement
	Title   string
	Returns cypher.Returns
	Body    string
}

// Constant returns the name of the constant of the statement.
func (s statement) Constant() string { return camel(strings.ReplaceAll(string(s.Name), "/", "_")) }

// Variable returns the name of the variable with the reader of its rows.
func (s statement) Variable() string { return lower(s.Constant()) }

// generate returns the text of each file by its path from the folder cypher.
func generate(folder string) (map[string][]byte, error) {
	statements, err := read()
	if err != nil {
		return nil, err
	}
	shapes, err := readShapes(path.Join(folder, "shapes.txt"))
	if err != nil {
		return nil, err
	}
	if err := check(statements, shapes); err != nil {
		return nil, err
	}
	made := map[string][]byte{}
	for name, tmpl := range map[string]*template.Template{"statements.gen.go": constants, "../internal/store/neo4jstore/rows.gen.go": rows} {
		var text bytes.Buffer
		if err := tmpl.Execute(&text, map[string]any{"Statements": statements, "Shapes": shapes}); err != nil {
			return nil, err
		}
		if made[name], err = format.Source(text.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", name, err, text.Bytes())
		}
	}
	return made, nil
}

// read returns the statements of the program in the order of their names.
func read() ([]statement, error) {
	all, err := cypher.All()
	if err != nil {
		return nil, err
	}
	var statements []statement
	for _, name := range all {
		plain, _, _ := strings.Cut(string(name), "@")
		name := cypher.Statement(plain)
		if strings.HasPrefix(plain, "saved/") || len(statements) > 0 && statements[len(statements)-1].Name == name {
			continue
		}
		file, err := name.File()
		if err != nil {
			return nil, err
		}
		statements = append(statements, statement{name, file.Title, file.Returns, file.Body})
	}
	return statements, nil
}

// A shape is a line of shapes.txt: fields of maps that several statements return.
type shape struct {
	Name    string
	Row     string // Go type that a map is read into
	Columns []cypher.Column
}

// Method returns the name of the method that reads a map.
func (s shape) Method() string { return "read" + camel(s.Name) }

func readShapes(file string) ([]shape, error) {
	text, err := os.ReadFile(file) //nolint:gosec // a file of the source
	if err != nil {
		return nil, err
	}
	var shapes []shape
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, columns, _ := strings.Cut(line, ":")
		name, row, _ := strings.Cut(head, " ")
		parsed, err := cypher.ParseColumns(columns)
		if err != nil {
			return nil, fmt.Errorf("shape %s: %w", name, err)
		}
		shapes = append(shapes, shape{name, row, parsed})
	}
	return shapes, nil
}

// check returns an error for a field of a map whose name is not in the text of a statement:
// the server tells only the names of columns.
func check(statements []statement, shapes []shape) error {
	using := map[string]string{} // the texts of the statements that use a shape
	for _, s := range statements {
		if s.Returns.As != "" {
			continue
		}
		var missing []string
		var walk func(columns []cypher.Column, within bool)
		walk = func(columns []cypher.Column, within bool) {
			for _, c := range columns {
				if within && !names(s.Body, c.Name) {
					missing = append(missing, c.Name)
				}
				using[c.Shape] += s.Body
				walk(c.Fields, true)
			}
		}
		walk(s.Returns.Columns, false)
		if len(missing) > 0 {
			return fmt.Errorf("statement %s: it returns no map with %s", s.Name, strings.Join(missing, ", "))
		}
	}
	for _, s := range shapes {
		for _, c := range s.Columns {
			if !names(using[s.Name], c.Name) {
				return fmt.Errorf("shape %s: no statement that uses it returns %s", s.Name, c.Name)
			}
		}
	}
	return nil
}

// names reports whether a text has .field, field: or all properties of a node.
func names(text, field string) bool {
	return strings.Contains(text, "."+field) || strings.Contains(text, field+":") || strings.Contains(text, "properties(") || strings.Contains(text, "{.*")
}

// initialisms are the parts of names that are not only capitalised.
var initialisms = map[string]string{"d2q": "D2Q", "fp": "FP", "id": "ID", "ids": "IDs", "mime": "MIME", "sha256": "SHA256", "uri": "URI"}

// camel returns the Go name of a name with underscores.
func camel(name string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if special, ok := initialisms[part]; ok {
			out.WriteString(special)
		} else if part != "" {
			out.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return out.String()
}

func lower(name string) string {
	runes := []rune(name)
	runes[0] = unicode.ToLower(runes[0])
	return string(runes)
}

// isTyped reports whether the rows of a statement are read into a Go type.
func isTyped(r cypher.Returns) bool {
	return slices.ContainsFunc(r.Columns, func(c cypher.Column) bool { return c.Type != "" || c.IsMap() })
}
