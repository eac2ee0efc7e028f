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

// none is the place of a column that is not there.
const none = -1

// one reads one line without its end.
func (r *reader) one(number int, line []byte) error {
	line = bytes.TrimSuffix(line, []byte{'\r'})
	start := bytes.TrimLeft(line, " \t")
	if len(start) == 0 || start[0] == '#' || start[0] == '%' {
		return nil
	}
	if r.format == Auto {
		r.format = guess(line)
	}
	if reason := r.cut(line); reason != "" {
		return r.skip(number, reason)
	}
	if !r.begun {
		r.begun = true
		if r.format != Whitespace && r.titles() {
			return nil
		}
	}
	weight, reason := r.weight()
	if reason == "" {
		reason = r.names()
	}
	if reason != "" {
		return r.skip(number, reason)
	}
	source := r.table.node(r.fields[r.split.source])
	target := r.table.node(r.fields[r.split.target])
	r.out.Lines++
	if source == target {
		r.out.Loops++
	}
	r.builder.Grow(len(r.table.names))
	if err := r.builder.Add(source, target, weight); err != nil {
		return fmt.Errorf("%s:%d: %w", r.o.Name, number, err)
	}
	return nil
}

// guess is the format of a line.
func guess(line []byte) Format {
	switch {
	case bytes.IndexByte(line, '\t') >= 0:
		return Tabs
	case bytes.IndexByte(line, ',') >= 0:
		return Commas
	}
	return Whitespace
}

// cut splits a line into fields, or says why not.
func (r *reader) cut(line []byte) (reason string) {
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
		r.plain(line, '\t')
		return ""
	}
	if bytes.IndexByte(line, '"') >= 0 {
		return r.quoted(line)
	}
	r.plain(line, ',')
	return ""
}

func (r *reader) plain(line []byte, between byte) {
	for {
		i := bytes.IndexByte(line, between)
		if i < 0 {
			r.fields = append(r.fields, trim(line))
			return
		}
		r.fields = append(r.fields, trim(line[:i]))
		line = line[i+1:]
	}
}

// trim takes blanks off both ends.
func trim(field []byte) []byte {
	for len(field) > 0 && (field[0] == ' ' || field[0] == '\t') {
		field = field[1:]
	}
	for n := len(field); n > 0 && (field[n-1] == ' ' || field[n-1] == '\t'); n = len(field) {
		field = field[:n-1]
	}
	return field
}

// quoted splits a line with quotes by commas.
func (r *reader) quoted(line []byte) (reason string) {
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
			r.fields = append(r.fields, trim(field))
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
		r.fields = append(r.fields, trim(r.scratch[start:len(r.scratch):len(r.scratch)]))
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
	sourceTitles = []string{"source", "src", "from", "start", "node1", "node_1", ":start_id"}
	targetTitles = []string{"target", "dst", "dest", "destination", "to", "end", "node2", "node_2", ":end_id"}
	weightTitles = []string{"weight", "w", "strength", "count", "value"}
)

// titles reports whether the fields are titles, and notes what they say.
func (r *reader) titles() bool {
	found := columns{r.find(sourceTitles), r.find(targetTitles), r.find(weightTitles)}
	if found.weight != none {
		if found.source == none {
			found.source = r.find([]string{"a", "u"})
		}
		if found.target == none {
			found.target = r.find([]string{"b", "v"})
		}
	}
	if found.source == none || found.target == none || found.weight == none && len(r.fields) == 3 {
		return false
	}
	r.split, r.titled = found, len(r.fields)
	return true
}

// find is the first field that is one of the titles, or none.
func (r *reader) find(titles []string) int {
	for i, field := range r.fields {
		for _, title := range titles {
			if strings.EqualFold(string(field), title) {
				return i
			}
		}
	}
	return none
}

// weight reads the weight of the line, after looking at the number of fields.
func (r *reader) weight() (weight float64, reason string) {
	n := len(r.fields)
	switch {
	case r.titled > 0 && n != r.titled:
		return 0, fmt.Sprintf("%d columns, and the first line names %d", n, r.titled)
	case r.titled == 0 && (n < 2 || n > 3):
		return 0, fmt.Sprintf("%d columns, want source, target and perhaps a weight%s", n, r.hint())
	case r.split.weight == none || r.split.weight >= n:
		return 1, ""
	}
	field := r.fields[r.split.weight]
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

// hint names the format, which may be what is wrong.
func (r *reader) hint() string {
	return map[Format]string{Whitespace: " with blanks between", Tabs: " with tabs between", Commas: " with commas between"}[r.format]
}

// maxName is the greatest length of a name in bytes.
const maxName = 4096

// names checks the names of the line.
func (r *reader) names() (reason string) {
	for _, at := range [2]int{r.split.source, r.split.target} {
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
