package edgelist

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns are the indices of the fields of an edge. weight is noColumn, or not less than
// the number of fields, if there is none.
type columns struct{ source, target, weight int }

// noColumn is the index of a missing column.
const noColumn = -1

// parseLine parses one line without its line break.
func (p *parser) parseLine(number int, line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	start := bytes.TrimLeft(line, " \t")
	if len(start) == 0 || start[0] == '#' || start[0] == '%' {
		return nil
	}
	if p.format == Auto {
		p.format = detectFormat(line)
	}
	if reason := p.splitFields(line); reason != "" {
		return p.badLine(number, reason)
	}
	if !p.headerChecked {
		p.headerChecked = true
		if p.format != Whitespace && p.parseHeader() {
			return nil
		}
	}
	weight, reason := p.weight()
	if reason == "" {
		reason = p.checkNames()
	}
	if reason != "" {
		return p.badLine(number, reason)
	}
	source := p.nodes.node(p.fields[p.columns.source])
	target := p.nodes.node(p.fields[p.columns.target])
	p.list.Lines++
	if source == target {
		p.list.Loops++
	}
	p.builder.Grow(len(p.nodes.names))
	if err := p.builder.Add(source, target, weight); err != nil {
		return fmt.Errorf("%s:%d: %w", p.o.Name, number, err)
	}
	return nil
}

// detectFormat returns the format of a line.
func detectFormat(line []byte) Format {
	switch {
	case bytes.IndexByte(line, '\t') >= 0:
		return Tabs
	case bytes.IndexByte(line, ',') >= 0:
		return Commas
	}
	return Whitespace
}

// splitFields splits a line into p.fields. reason says why it cannot, else it is empty.
func (p *parser) splitFields(line []byte) (reason string) {
	p.fields = p.fields[:0]
	switch p.format {
	case Whitespace:
		for i := 0; i < len(line); {
			for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
				i++
			}
			start := i
			for i < len(line) && line[i] != ' ' && line[i] != '\t' {
				i++
			}
			if i > start {
				p.fields = append(p.fields, line[start:i])
			}
		}
		return ""
	case Tabs:
		p.splitPlain(line, '\t')
		return ""
	}
	if bytes.IndexByte(line, '"') >= 0 {
		return p.splitQuoted(line)
	}
	p.splitPlain(line, ',')
	return ""
}

// splitPlain splits a line without quotes.
func (p *parser) splitPlain(line []byte, separator byte) {
	for {
		i := bytes.IndexByte(line, separator)
		if i < 0 {
			p.fields = append(p.fields, trimBlanks(line))
			return
		}
		p.fields = append(p.fields, trimBlanks(line[:i]))
		line = line[i+1:]
	}
}

// trimBlanks removes spaces and tabs from both ends.
func trimBlanks(field []byte) []byte {
	for len(field) > 0 && (field[0] == ' ' || field[0] == '\t') {
		field = field[1:]
	}
	for n := len(field); n > 0 && (field[n-1] == ' ' || field[n-1] == '\t'); n = len(field) {
		field = field[:n-1]
	}
	return field
}

// splitQuoted splits a line with quoted fields at commas.
func (p *parser) splitQuoted(line []byte) (reason string) {
	p.scratch = p.scratch[:0]
	for {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 || line[0] != '"' {
			i := bytes.IndexByte(line, ',')
			field, rest := line, []byte(nil)
			if i >= 0 {
				field, rest = line[:i], line[i+1:]
			}
			if bytes.IndexByte(field, '"') >= 0 {
				return "quote inside an unquoted field"
			}
			p.fields = append(p.fields, trimBlanks(field))
			if i < 0 {
				return ""
			}
			line = rest
			continue
		}
		start := len(p.scratch)
		line = line[1:]
		for {
			i := bytes.IndexByte(line, '"')
			if i < 0 {
				return "missing closing quote"
			}
			p.scratch = append(p.scratch, line[:i]...)
			line = line[i+1:]
			if len(line) == 0 || line[0] != '"' {
				break
			}
			p.scratch = append(p.scratch, '"')
			line = line[1:]
		}
		// The field stays valid when scratch grows and is reallocated.
		p.fields = append(p.fields, trimBlanks(p.scratch[start:len(p.scratch):len(p.scratch)]))
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			return ""
		}
		if line[0] != ',' {
			return "closing quote not followed by a comma or the end of the line"
		}
		line = line[1:]
	}
}

// Names of columns in a header. Single letters are recognised only in a header with a
// weight column, since they may be names of nodes.
var (
	sourceHeaders = []string{"source", "src", "from", "start", "node1", "node_1", ":start_id"}
	targetHeaders = []string{"target", "dst", "dest", "destination", "to", "end", "node2", "node_2", ":end_id"}
	weightHeaders = []string{"weight", "w", "strength", "count", "value"}
)

// parseHeader reports whether the fields are a header, and sets the columns if so.
func (p *parser) parseHeader() bool {
	found := columns{p.findField(sourceHeaders), p.findField(targetHeaders), p.findField(weightHeaders)}
	if found.weight != noColumn {
		if found.source == noColumn {
			found.source = p.findField([]string{"a", "u"})
		}
		if found.target == noColumn {
			found.target = p.findField([]string{"b", "v"})
		}
	}
	if found.source == noColumn || found.target == noColumn || found.weight == noColumn && len(p.fields) == 3 {
		return false
	}
	p.columns, p.headerFields = found, len(p.fields)
	return true
}

// findField returns the index of the first field that is one of the names, or noColumn.
func (p *parser) findField(names []string) int {
	for i, field := range p.fields {
		for _, name := range names {
			if strings.EqualFold(string(field), name) {
				return i
			}
		}
	}
	return noColumn
}

// weight checks the number of fields and parses the weight, 1 if there is none.
func (p *parser) weight() (weight float64, reason string) {
	n := len(p.fields)
	switch {
	case p.headerFields > 0 && n != p.headerFields:
		return 0, fmt.Sprintf("%d columns, but the header has %d", n, p.headerFields)
	case p.headerFields == 0 && (n < 2 || n > 3):
		return 0, fmt.Sprintf("%d columns, want source, target and optionally weight%s", n, p.separatorHint())
	case p.columns.weight == noColumn || p.columns.weight >= n:
		return 1, ""
	}
	field := p.fields[p.columns.weight]
	if len(field) == 1 && field[0] >= '0' && field[0] <= '9' {
		return float64(field[0] - '0'), ""
	}
	weight, err := strconv.ParseFloat(string(field), 64)
	switch {
	case err != nil || math.IsNaN(weight) || math.IsInf(weight, 0):
		return 0, fmt.Sprintf("weight %.40q is not a number", field)
	case weight < 0:
		return 0, fmt.Sprintf("weight %.40q is negative", field)
	case weight > math.MaxFloat32:
		return 0, fmt.Sprintf("weight %.40q is too large", field)
	}
	return weight, ""
}

// separatorHint names the separator, since the format may be wrong.
func (p *parser) separatorHint() string {
	return map[Format]string{Whitespace: ", separated by white space", Tabs: ", separated by tabs", Commas: ", separated by commas"}[p.format]
}

// maxName is the maximum length of a name in bytes.
const maxName = 4096

// checkNames checks the names of the two nodes.
func (p *parser) checkNames() (reason string) {
	for _, at := range [2]int{p.columns.source, p.columns.target} {
		field := p.fields[at]
		switch {
		case len(field) == 0:
			return "empty node name"
		case len(field) > maxName:
			return fmt.Sprintf("name of %d bytes, want at most %d", len(field), maxName)
		case !utf8.Valid(field):
			return fmt.Sprintf("name %.40q is not UTF-8", field)
		}
	}
	return ""
}
