// Package cypher holds every statement that NeoRAG sends to Neo4j, each in its own
// embedded file with a typed name. It does not depend on the driver.
//
// A file starts with a line "// Title" and a line "// params: a, b", the parameters that
// its text uses. Optional lines are "// returns: ...", the columns of its rows (see Returns),
// "// for: Chunk extract, ...", the kinds of nodes, each optionally with a stage, that the
// statement is made for, and "// scan: reason" if its plan may read all nodes of a label. The
// rest is one statement. "// for: as schema/todo" means the kinds and stages of that file, and
// "// union" that the statement is the union of the statements for each of them.
//
// A file with lines "//in scope: ..." and "//no scope: ..." is two statements that share the
// other lines: <name> reads a whole corpus, <name>_in_scope the documents and chunks of a scope.
//
// go generate makes statements.gen.go, a constant for each file, and rows.gen.go of package
// neo4jstore, which reads their rows.
//
// The folders are schema, write and read for the program, saved for users (see
// SavedQuery), and bench for graphs that benchmarks create.
package cypher

//go:generate go run ./internal/gen

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed schema/*.cypher write/*.cypher read/*.cypher saved/*/*.cypher bench/*.cypher
var files embed.FS

// A Statement is the path of a file in this folder, without its extension, and
// optionally the kind and stage that it is for.
type Statement string

// File is the parsed file of a statement.
type File struct {
	Title   string
	Params  []string // as declared
	Returns Returns  // as declared; without columns for a statement that returns none
	For     []string // "Entity" or "Entity derive"; empty for a statement without variants
	Scan    string   // why its plan may read all nodes of a label, or empty
	Body    string   // the statement alone
	packed  string   // Body with its parameters in one map; empty if that is not possible

	forAs Statement // whose kinds and stages For has
	union bool      // Body is made for each of For; For is then empty
}

// For returns the statement for a kind, or for a kind in a stage: they replace the
// placeholders __Kind__, __kind__ and __stage__. Text returns an error for a variant
// that the file does not declare.
func (s Statement) For(kindAndStage ...string) Statement {
	return s + "@" + Statement(strings.Join(kindAndStage, " "))
}

// Text returns the statement for a corpus, whose name replaces __corpus__. The caller
// has checked the name; it may be empty if the text does not contain the placeholder.
func (s Statement) Text(corpus string) (string, error) {
	file, err := s.File()
	if err != nil {
		return "", err
	}
	return s.fill(file, file.Body, corpus)
}

// fill replaces the placeholders of a text.
func (s Statement) fill(file File, text, corpus string) (string, error) {
	name, variant, _ := strings.Cut(string(s), "@")
	if (variant != "" || len(file.For) > 0) && !slices.Contains(file.For, variant) {
		return "", fmt.Errorf("statement %s: no variant for %q, only for %s", name, variant, strings.Join(file.For, ", "))
	}
	if corpus == "" && strings.Contains(text, "__corpus__") {
		return "", fmt.Errorf("statement %s: the name of a corpus is missing", name)
	}
	text = strings.NewReplacer("__labels__", "", "__types__", "").Replace(fillVariant(text, variant)) // all; Pattern fills in the labels and types of users
	return ForCorpus(text, corpus), nil
}

// fillVariant replaces the placeholders of a kind and a stage.
func fillVariant(text, variant string) string {
	kind, stage, _ := strings.Cut(variant, " ")
	return strings.NewReplacer("__Kind__", kind, "__kind__", strings.ToLower(kind), "__stage__", stage).Replace(text)
}

// File returns the parsed file of the statement.
func (s Statement) File() (File, error) {
	name, _, _ := strings.Cut(string(s), "@")
	all, err := load()
	if err != nil {
		return File{}, err
	}
	file, ok := all[Statement(name)]
	if !ok {
		return File{}, fmt.Errorf("statement %s: no such file", name)
	}
	return file, nil
}

// All returns the statements in name order, with one for each kind and stage of a file
// that has variants.
func All() ([]Statement, error) {
	all, err := load()
	if err != nil {
		return nil, err
	}
	var names []Statement
	for name, file := range all {
		if len(file.For) == 0 {
			names = append(names, name)
		}
		for _, variant := range file.For {
			names = append(names, name.For(variant))
		}
	}
	slices.Sort(names)
	return names, nil
}

var load = sync.OnceValues(func() (map[Statement]File, error) {
	all := map[Statement]File{}
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		for name, text := range scopes(Statement(strings.TrimSuffix(path, ".cypher")), string(text)) {
			file, err := parse(text)
			if err != nil {
				return fmt.Errorf("statement %s: %w", name, err)
			}
			all[name] = file
		}
		return nil
	})
	for name, file := range all {
		if as := file.Returns.As; as != "" {
			file.Returns.Row, file.Returns.Columns = all[as].Returns.Row, all[as].Returns.Columns
		}
		if file.forAs != "" {
			file.For = all[file.forAs].For
		}
		if file.union {
			parts := make([]string, len(file.For))
			for i, variant := range file.For {
				parts[i] = fillVariant(file.Body, variant)
			}
			file.Body, file.For = strings.Join(parts, "\nUNION ALL\n"), nil
		}
		file.packed = pack(name, file.Body)
		all[name] = file
	}
	if err != nil {
		return nil, fmt.Errorf("list statements: %w", err)
	}
	return all, nil
})

// Lines with these prefixes belong to only one of the two statements of a file.
const (
	noScope = "//no scope: "
	inScope = "//in scope: "
)

// scopes returns the statements of a file by name: one, or with lines for a scope two.
func scopes(name Statement, text string) map[Statement]string {
	if !strings.Contains(text, inScope) {
		return map[Statement]string{name: text}
	}
	keep := func(kept, dropped string) string {
		var out strings.Builder
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, dropped) {
				out.WriteString(strings.TrimPrefix(line, kept))
			}
		}
		return out.String()
	}
	return map[Statement]string{name: keep(noScope, inScope), name + "_in_scope": keep(inScope, noScope)}
}

// parse parses a statement file.
func parse(text string) (File, error) {
	title, rest, _ := strings.Cut(text, "\n")
	title, ok := strings.CutPrefix(title, "// ")
	if !ok || title == "" {
		return File{}, errors.New("the first line is not // and a title")
	}
	line, rest, _ := strings.Cut(rest, "\n")
	params, ok := strings.CutPrefix(line, "// params:")
	if !ok {
		return File{}, errors.New("the second line does not list params")
	}
	file := File{Title: title, Params: list(params)}
	var returns string
	for strings.HasPrefix(rest, "// ") {
		line, rest, _ = strings.Cut(rest, "\n")
		if more, ok := strings.CutPrefix(line, "//   "); ok && returns != "" {
			returns += " " + more
		}
		if columns, ok := strings.CutPrefix(line, "// returns"); ok {
			returns = columns
		}
		if as, ok := strings.CutPrefix(line, "// for: as "); ok {
			file.forAs = Statement(as)
		} else if variants, ok := strings.CutPrefix(line, "// for: "); ok {
			file.For = append(file.For, list(variants)...)
		}
		file.union = file.union || line == "// union"
		if reason, ok := strings.CutPrefix(line, "// scan: "); ok {
			file.Scan = reason
		}
	}
	if returns != "" {
		var err error
		if file.Returns, err = parseReturns(returns); err != nil {
			return File{}, err
		}
	}
	file.Body = strings.TrimSpace(rest)
	if file.Body == "" || strings.Contains(file.Body, ";") {
		return File{}, errors.New("the file must contain one statement without a semicolon")
	}
	return file, nil
}

func list(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
