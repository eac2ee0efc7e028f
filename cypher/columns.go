package cypher

import (
	"fmt"
	"strings"
	"unicode"
)

// Returns is the parsed header "// returns: ..." of a statement: the columns of its rows, in
// their order, and the Go type that a row is read into.
//
//	// returns: key string, size int, title string?
//	// returns ChunkRow: chunk {chunk}, document {key string > Document, uri string?}
//	// returns: as read/chunk_rows
//
// A type is string, int, int64, float, bool, []string, []int, []int64, vector (a list of
// float32), list, properties (a map that is read by name), citations, or a Go type whose
// underlying type is string. A "?" allows null, also for items of a list, which is read as the
// zero value. A column without a type is read by its position. {...} is a map whose fields are
// read into the row, Type{...} one that is read into a value of that type, []{...} and
// []Type{...} are lists of these; a single word in the braces names a shape of
// cypher/shapes.txt. "> Field" names the field of the row if it is not the name of the column;
// "_" is none.
type Returns struct {
	As      Statement // the statement that has the same columns, or empty
	Row     string    // Go type of a row, or empty
	Columns []Column
}

// Names returns the names of the columns.
func (r Returns) Names() []string {
	names := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		names[i] = c.Name
	}
	return names
}

// A Column is a column of a row, or a field of a map in one.
type Column struct {
	Name   string
	Type   string   // of a value, or the Go type of a map or of the items of a list of maps
	Null   bool     // it may be null
	Fields []Column // of a map; in a list of maps, of each
	Shape  string   // the name of a shape instead of Fields
	List   bool     // of maps
	Target string   // a field of the row, possibly with dots, or _
}

// IsMap reports whether the value is a map or a list of maps with known fields.
func (c Column) IsMap() bool { return c.Shape != "" || len(c.Fields) > 0 }

// parseReturns parses what follows "// returns" in a header.
func parseReturns(text string) (Returns, error) {
	row, columns, ok := strings.Cut(text, ":")
	if !ok {
		return Returns{}, fmt.Errorf("returns%s: the colon is missing", text)
	}
	if as, ok := strings.CutPrefix(strings.TrimSpace(columns), "as "); ok {
		return Returns{As: Statement(as)}, nil
	}
	parsed, err := ParseColumns(columns)
	return Returns{Row: strings.TrimSpace(row), Columns: parsed}, err
}

// ParseColumns parses a list of columns.
func ParseColumns(text string) ([]Column, error) {
	p := &columnParser{rest: text}
	columns := p.columns()
	if p.skip(); p.err == nil && p.rest != "" {
		p.fail("the end")
	}
	return columns, p.err
}

type columnParser struct {
	rest string
	err  error
}

func (p *columnParser) fail(want string) {
	if p.err == nil {
		p.err = fmt.Errorf("columns: %s is missing before %.30q", want, p.rest)
	}
}

func (p *columnParser) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

// accept skips a token if it comes next.
func (p *columnParser) accept(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// word returns the next word, or "".
func (p *columnParser) word() string {
	p.skip()
	end := strings.IndexFunc(p.rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.'
	})
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func (p *columnParser) columns() []Column {
	var all []Column
	for p.err == nil {
		all = append(all, p.column())
		if !p.accept(",") {
			break
		}
	}
	return all
}

func (p *columnParser) column() Column {
	c := Column{Name: p.word()}
	if c.Name == "" {
		p.fail("a name")
	}
	c.List = p.accept("[]")
	c.Type = p.word()
	if p.accept("{") {
		c.Fields = p.columns()
		if !p.accept("}") {
			p.fail("}")
		}
		if len(c.Fields) == 1 && c.Fields[0].Type == "" {
			c.Shape, c.Fields = c.Fields[0].Name, nil
		}
	} else if c.List {
		c.List, c.Type = false, "[]"+c.Type
	}
	c.Null = p.accept("?")
	if p.accept(">") {
		if c.Target = p.word(); c.Target == "" {
			p.fail("a field")
		}
	}
	return c
}
