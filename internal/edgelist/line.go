package edgelist

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns are the places of the fields that count; weight is beyond the line
// where there is none.
type columns struct{ source, target, weight int }

// noColumn is the place of a column that is not there.
const noColumn = -1

// parseLine reads one line without its end.
func (r *parser) parseLine(number int, line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	start := bytes.TrimLeft(line, " \t")
	if len(start) == 0 || start[0] == '#' || start[0] == '%' {
		return nil
	}
	if r.format == Auto {
		r.format = detectFormat(line)
	}
	if reason := r.splitFields(line); reason != "" {
		return r.badLine(number, reason)
	}
	if !r.headerChecked {
		r.headerChecked = true
		if r.format != Whitespace && r.parseHeader() {
			return nil
		}
	}
	weight, reason := r.weight()
	if reason == "" {
		reason = r.checkNames()
	}
	if reason != "" {
		return r.badLine(number, reason)
	}
	source := r.nodes.node(r.fields[r.columns.source])
	target := r.nodes.node(r.fields[r.columns.target])
	r.list.Lines++
	if source == target {
		r.list.Loops++
	}
	r.builder.Grow(len(r.nodes.names))
	if err := r.builder.Add(source, target, weight); err != nil {
		return fmt.Errorf("%s:%d: %w", r.o.Name, number, err)
	}
	return nil
}

// detectFormat is the format of a line.
func detectFormat(line []byte) Format {
	switch {
	case bytes.IndexByte(line, '\t') >= 0:
		return Tabs
	case bytes.IndexByte(line, ',') >= 0:
		return Commas
	}
	return Whitespace
}

// splitFields splits a line into fields, or says why not.
func (r *parser) splitFields(line []byte) (reason string) {
	r.fields = r.fields[:0]
	switch r.format {
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
				r.fields = append(r.fields, line[start:i])
			}
		}
		return ""
	case Tabs:
		r.splitPlain(line, '\t')
		return ""
	}
	if bytes.IndexByte(line, '"') >= 0 {
		return r.splitQuoted(line)
	}
	r.splitPlain(line, ',')
	return ""
}

func (r *parser) splitPlain(line []byte, between byte) {
	for {
		i := bytes.IndexByte(line, between)
		if i < 0 {
			r.fields = append(r.fields, trimBlanks(line))
			return
		}
		r.fields = append(r.fields, trimBlanks(line[:i]))
		line = line[i+1:]
	}
}

// trimBlanks takes blanks off both ends.
func trimBlanks(field []byte) []byte {
	for len(field) > 0 && (field[0] == ' ' || field[0] == '\t') {
		field = field[1:]
	}
	for n := len(field); n > 0 && (field[n-1] == ' ' || field[n-1] == '\t'); n = len(field) {
		field = field[:n-1]
	}
	return field
}

// splitQuoted splits a line with quotes by commas.
func (r *parser) splitQuoted(line []byte) (reason string) {
	r.scratch = r.scratch[:0]
	for {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 || line[0] != '"' {
			i := bytes.IndexByte(line, ',')
			field, rest := line, []byte(nil)
			if i >= 0 {
				field, rest = line[:i], line[i+1:]
			}
			if bytes.IndexByte(field, '"') >= 0 {
				return "a quote stands inside a field that does not begin with one"
			}
			r.fields = append(r.fields, trimBlanks(field))
			if i < 0 {
				return ""
			}
			line = rest
			continue
		}
		start := len(r.scratch)
		line = line[1:]
		for {
			i := bytes.IndexByte(line, '"')
			if i < 0 {
				return "a quote is not closed on its line"
			}
			r.scratch = append(r.scratch, line[:i]...)
			line = line[i+1:]
			if len(line) == 0 || line[0] != '"' {
				break
			}
			r.scratch = append(r.scratch, '"')
			line = line[1:]
		}
		// A later growth of scratch leaves this field where it is.
		r.fields = append(r.fields, trimBlanks(r.scratch[start:len(r.scratch):len(r.scratch)]))
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			return ""
		}
		if line[0] != ',' {
			return "after a closing quote comes neither a comma nor the end"
		}
		line = line[1:]
	}
}

// The titles that columns are known by. Letters are also names of nodes: they
// count as titles beside a column of weights only.
var (
	sourceHeaders = []string{"source", "src", "from", "start", "node1", "node_1", ":start_id"}
	targetHeaders = []string{"target", "dst", "dest", "destination", "to", "end", "node2", "node_2", ":end_id"}
	weightHeaders = []string{"weight", "w", "strength", "count", "value"}
)

// parseHeader reports whether the fields are titles, and notes what they say.
func (r *parser) parseHeader() bool {
	found := columns{r.findField(sourceHeaders), r.findField(targetHeaders), r.findField(weightHeaders)}
	if found.weight != noColumn {
		if found.source == noColumn {
			found.source = r.findField([]string{"a", "u"})
		}
		if found.target == noColumn {
			found.target = r.findField([]string{"b", "v"})
		}
	}
	if found.source == noColumn || found.target == noColumn || found.weight == noColumn && len(r.fields) == 3 {
		return false
	}
	r.columns, r.headerFields = found, len(r.fields)
	return true
}

// findField is the first field that is one of the titles, or none.
func (r *parser) findField(titles []string) int {
	for i, field := range r.fields {
		for _, title := range titles {
			if strings.EqualFold(string(field), title) {
				return i
			}
		}
	}
	return noColumn
}

// weight reads the weight of the line, after looking at the number of fields.
func (r *parser) weight() (weight float64, reason string) {
	n := len(r.fields)
	switch {
	case r.headerFields > 0 && n != r.headerFields:
		return 0, fmt.Sprintf("%d columns, and the first line names %d", n, r.headerFields)
	case r.headerFields == 0 && (n < 2 || n > 3):
		return 0, fmt.Sprintf("%d columns, want source, target and perhaps a weight%s", n, r.separatorHint())
	case r.columns.weight == noColumn || r.columns.weight >= n:
		return 1, ""
	}
	field := r.fields[r.columns.weight]
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

// separatorHint names the format, which may be what is wrong.
func (r *parser) separatorHint() string {
	return map[Format]string{Whitespace: " with blanks between", Tabs: " with tabs between", Commas: " with commas between"}[r.format]
}

// maxName is the greatest length of a name in bytes.
const maxName = 4096

// checkNames checks the names of the line.
func (r *parser) checkNames() (reason string) {
	for _, at := range [2]int{r.columns.source, r.columns.target} {
		field := r.fields[at]
		switch {
		case len(field) == 0:
			return "a node without a name"
		case len(field) > maxName:
			return fmt.Sprintf("a name of %d bytes, %d are possible", len(field), maxName)
		case !utf8.Valid(field):
			return fmt.Sprintf("name %.40q is not UTF-8", field)
		}
	}
	return ""
}
