package cypher

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Types of parameters of a saved query.
const (
	TypeText   = "text"
	TypeWhole  = "whole"
	TypeNumber = "number"
)

// A SavedQuery is a file in saved/: a bounded read for users, run in Neo4j Browser or
// by `neorag cypher`. Its header has these lines after title and params:
//
//	// about: what it shows; several lines are joined
//	// param: name type default: what it means
//	// draws
//	// empty: why it is good if there are no rows
//	// scan: why its plan may read all nodes of a label
//
// and for and union, as other statements have them. The default is a Cypher literal, or the name of a statement in read/ that computes
// it for a corpus. The parameter corpus has no line.
type SavedQuery struct {
	Name        string // folder and file, such as "communities/members"
	Title       string
	Description string
	Params      []SavedParam // in the order of the file, without corpus
	Text        string       // the statement, with __corpus__ and $parameters
	Draws       bool         // returns nodes, relationships or paths, which Browser draws
	Empty       string       // why it is good if there are no rows, or empty
}

// A SavedParam is a parameter of a SavedQuery.
type SavedParam struct {
	Name    string
	Doc     string
	Type    string    // TypeText, TypeWhole or TypeNumber
	Default any       // string, int64 or float64; nil if From computes it
	From    Statement // returns one row with a column "value", or none if the corpus has no such thing
}

// Category returns the folder of the query.
func (q SavedQuery) Category() string {
	category, _, _ := strings.Cut(q.Name, "/")
	return category
}

// SavedQueries returns the saved queries in name order.
func SavedQueries() ([]SavedQuery, error) {
	all, err := savedQueries()
	return slices.Clone(all), err
}

// FindSavedQuery returns the query of that name.
func FindSavedQuery(name string) (SavedQuery, bool) {
	all, err := savedQueries()
	if err != nil {
		return SavedQuery{}, false
	}
	for _, q := range all {
		if q.Name == name {
			return q, true
		}
	}
	return SavedQuery{}, false
}

// ForCorpus returns the statement for a corpus, with its parameters.
func (q SavedQuery) ForCorpus(corpus string) string {
	return ForCorpus(q.Text, corpus)
}

var parameterName = regexp.MustCompile(`\$([a-z][a-z_]*)`)

// Literal returns the statement for a corpus with values instead of parameters, after
// a comment with its title: it can be run as it is. A missing value is the fixed
// default of its parameter, and an error if there is none.
func (q SavedQuery) Literal(corpus string, values map[string]any) (string, error) {
	literals, err := q.literals(corpus, values)
	if err != nil {
		return "", err
	}
	text := parameterName.ReplaceAllStringFunc(q.ForCorpus(corpus), func(name string) string { return literals[name[1:]] })
	return "// " + q.Title + "\n" + text, nil
}

// WithParams returns the statement for a corpus after `:param` lines for Neo4j Browser,
// so that a value can be changed in one place. Values are as in Literal.
func (q SavedQuery) WithParams(corpus string, values map[string]any) (string, error) {
	literals, err := q.literals(corpus, values)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("// " + q.Title + "\n")
	names := []string{"corpus"}
	for _, p := range q.Params {
		names = append(names, p.Name)
	}
	for _, name := range names {
		if strings.Contains(q.Text, "$"+name) {
			b.WriteString(":param " + name + " => " + literals[name] + ";\n")
		}
	}
	b.WriteString(q.ForCorpus(corpus))
	return b.String(), nil
}

func (q SavedQuery) literals(corpus string, values map[string]any) (map[string]string, error) {
	literals := map[string]string{"corpus": Literal(corpus)}
	for _, p := range q.Params {
		value, ok := values[p.Name]
		if !ok {
			value = p.Default
		}
		if value == nil {
			return nil, fmt.Errorf("query %s: no value for %s", q.Name, p.Name)
		}
		literal := Literal(value)
		if literal == "" {
			return nil, fmt.Errorf("query %s: unsupported type %T of parameter %s", q.Name, value, p.Name)
		}
		literals[p.Name] = literal
	}
	return literals, nil
}

// Literal returns a text or a number as a Cypher literal on one line. Quotes in a text
// are escaped. It is empty for a value of another type.
func Literal(value any) string {
	switch v := value.(type) {
	case string:
		return quoteText(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if strings.ContainsAny(text, "IN") { // Inf, NaN
			return ""
		}
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	return ""
}

func quoteText(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range text {
		switch {
		case r == '\\' || r == '\'':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

var savedQueries = sync.OnceValues(func() ([]SavedQuery, error) {
	var all []SavedQuery
	err := fs.WalkDir(files, "saved", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, "saved/"), ".cypher")
		q, err := parseSavedQuery(name, string(text))
		if err != nil {
			return fmt.Errorf("query %s: %w", name, err)
		}
		file, err := Statement("saved/" + name).File()
		if err != nil {
			return err
		}
		q.Text = file.Body
		all = append(all, q)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list queries: %w", err)
	}
	return all, nil
})

// parseSavedQuery parses a file of saved/.
func parseSavedQuery(name, text string) (SavedQuery, error) {
	file, err := parse(text)
	if err != nil {
		return SavedQuery{}, err
	}
	q := SavedQuery{Name: name, Title: file.Title}
	var about []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "//") {
			break
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "// "), ": ")
		switch key {
		case "about":
			about = append(about, value)
		case "draws":
			q.Draws = true
		case "empty":
			q.Empty = value
		case "param":
			p, err := parseParam(value)
			if err != nil {
				return q, err
			}
			q.Params = append(q.Params, p)
		}
	}
	q.Description = strings.Join(about, " ")
	if q.Description == "" {
		return q, errors.New("no about line")
	}
	var names []string
	for _, p := range q.Params {
		names = append(names, p.Name)
	}
	for _, name := range file.Params {
		if name != "corpus" && !slices.Contains(names, name) {
			return q, fmt.Errorf("no param line for %s", name)
		}
	}
	for _, name := range names {
		if !slices.Contains(file.Params, name) {
			return q, fmt.Errorf("param line for %s, which is not a parameter", name)
		}
	}
	return q, nil
}

// parseParam parses `name type default: what it means`.
func parseParam(line string) (SavedParam, error) {
	head, doc, ok := strings.Cut(line, ": ")
	fields := strings.Fields(head)
	if !ok || len(fields) != 3 {
		return SavedParam{}, fmt.Errorf("param %q is not `name type default: what it means`", line)
	}
	p := SavedParam{Name: fields[0], Type: fields[1], Doc: doc}
	from := fields[2]
	if strings.HasPrefix(from, "read/") {
		p.From = Statement(from)
		return p, nil
	}
	if p.Type == TypeText {
		if len(from) < 2 || from[0] != '\'' || from[len(from)-1] != '\'' {
			return p, fmt.Errorf("the default %s of %s is not a quoted text", from, p.Name)
		}
		p.Default = from[1 : len(from)-1]
		return p, nil
	}
	value, err := p.Parse(from)
	p.Default = value
	return p, err
}

// Parse parses a value that a user wrote.
func (p SavedParam) Parse(text string) (any, error) {
	switch p.Type {
	case TypeText:
		return text, nil
	case TypeWhole:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s must be a whole number, not %q", p.Name, text)
		}
		return n, nil
	case TypeNumber:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || Literal(n) == "" {
			return nil, fmt.Errorf("%s must be a number, not %q", p.Name, text)
		}
		return n, nil
	}
	return nil, fmt.Errorf("%s has an unknown type %q", p.Name, p.Type)
}
