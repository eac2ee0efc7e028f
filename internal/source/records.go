package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
)

const (
	maxRecordFailures = 1000     // named; the others are counted
	maxRecords        = 2 << 20  // of a file
	maxRecord         = 16 << 20 // bytes
	maxID             = 400      // bytes
)

// records turns the records of a file into documents.
type records struct {
	ctx      context.Context //nolint:containedctx // it lives as long as one call of Documents
	base     graph.Document
	fields   map[string]string
	order    []string // names of the columns of a table
	composed bool     // the table has no column for the text
	tabular  bool     // objects without a text are rows of a table
	sheets   bool     // tables are sheets of a workbook, which may have one column
	yield    func(graph.Document) error
	yielding bool // yield is running, or has returned an error
	limit    int  // bytes of a record
	row      int  // from 1, with the header of a table
	nextLine int  // after the last row of a table
	tables   []tableInfo
	count    int // documents yielded
	failures []Failure
	unnamed  int            // failures that are counted only
	lines    map[string]int // the line or row where each URI was used
	equal    map[string]int // records without an id, by the beginning of their hash
}

func newRecords(ctx context.Context, base graph.Document, o Options, yield func(graph.Document) error) *records {
	return &records{ctx: ctx, base: base, fields: o.fieldsOf(base.URI), yield: yield, limit: maxRecord, nextLine: 1, lines: map[string]int{}, equal: map[string]int{}}
}

// field returns the name that records use for a target.
func (r *records) field(target string) string { return cmp.Or(r.fields[target], target) }

// nextRow counts a row of a table from its lines. Blank lines before it are rows, as in a spreadsheet.
func (r *records) nextRow(first, last int) {
	r.row += 1 + first - r.nextLine
	r.nextLine = last + 1
}

// column returns the name for a target among the names of a record: the exact one,
// else one that differs in case or surrounding space.
func (r *records) column(names []string, target string) (string, bool) {
	want := r.field(target)
	if slices.Contains(names, want) {
		return want, true
	}
	if at := similarName(names, want); at >= 0 {
		return names[at], true
	}
	return want, target == "text" && len(r.textColumns(names)) > 0
}

// similarName returns the place of the first name that differs from another one at most in case or
// surrounding space, -1 for none.
func similarName(names []string, want string) int {
	return slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(strings.TrimSpace(name), want) })
}

// textColumns returns the columns that make the text together, nil if it is one.
func (r *records) textColumns(names []string) []string {
	want := r.fields["text"]
	if !strings.Contains(want, ",") || slices.Contains(names, want) {
		return nil
	}
	var found []string
	for part := range strings.SplitSeq(want, ",") {
		if at := similarName(names, strings.TrimSpace(part)); at >= 0 {
			found = append(found, names[at])
		}
	}
	return found
}

// joinText sets the text of a record that several of its columns make. Columns that hold the title,
// id or date stay.
func (r *records) joinText(values map[string]string, names []string) {
	columns := r.textColumns(names)
	if columns == nil {
		return
	}
	var parts []string
	for _, name := range columns {
		if strings.TrimSpace(values[name]) != "" {
			parts = append(parts, values[name])
		}
	}
	for _, name := range columns {
		kept := false
		for _, target := range fieldTargets[1:] {
			other, ok := r.column(names, target)
			kept = kept || ok && other == name
		}
		if !kept {
			delete(values, name)
		}
	}
	values[r.fields["text"]] = strings.Join(parts, "\n\n")
}

// fail notes a record that cannot be read.
func (r *records) fail(line int, err error) {
	if len(r.failures) == maxRecordFailures {
		r.unnamed++
		last := &r.failures[maxRecordFailures-1]
		last.Err = fmt.Errorf("read %s: line %d and %d more records cannot be read", r.base.URI, last.Line, r.unnamed)
		return
	}
	place := "line " + strconv.Itoa(line)
	if line == 0 {
		place = "row " + strconv.Itoa(r.row)
	}
	r.failures = append(r.failures, Failure{
		URI: r.base.URI, Root: r.base.Root, Line: line,
		Err: fmt.Errorf("read %s: %s: %w", r.base.URI, place, err),
	})
}

// failSize notes a record that has more bytes than the limit.
func (r *records) failSize(line, size int, hint string) {
	r.fail(line, fmt.Errorf("record has %d bytes, more than %d%s", size, r.limit, hint))
}

// add yields the document of a record that starts on a line; composed means that its text is made
// of its fields. An error means that the rest of the file must not be read.
func (r *records) add(line int, values map[string]string, composed bool) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.count == maxRecords {
		return fmt.Errorf("more than %d documents: split the file", maxRecords)
	}
	names := slices.Sorted(maps.Keys(values))
	r.joinText(values, names)
	key, row, order := "", "", r.order
	if composed {
		if order == nil {
			order = names
		}
		key, row = rowText(order, values)
	}
	var known [4]string // in the order of fieldTargets
	for i, target := range fieldTargets {
		if name, ok := r.column(names, target); ok {
			known[i] = values[name]
			if i != 3 || strings.TrimSpace(known[i]) == "" || parse.Date(unixDate(known[i])) != "" {
				delete(values, name) // an invalid date stays metadata
			}
		}
	}
	known[3] = unixDate(known[3])
	text, title, id, date := known[0], known[1], strings.TrimSpace(decode.Clean(known[2])), known[3]
	if composed {
		text, title = row, cmp.Or(title, key)
	}
	if strings.TrimSpace(text) == "" {
		r.fail(line, fmt.Errorf("no text in field %q: name the field that holds it with --field text=NAME; fields are %s", r.field("text"), quoteNames(names)))
		return nil
	}
	if len(id) > maxID {
		r.fail(line, fmt.Errorf("id has %d bytes, more than %d", len(id), maxID))
		return nil
	}
	doc := r.document(id, text, title, date, values)
	doc.Places = graph.Places{Row: r.row, Line: line}
	if first, duplicate := r.lines[doc.URI]; duplicate { // the first one stays
		place := "line"
		if line == 0 {
			place = "row"
		}
		r.fail(line, fmt.Errorf("id %q is already used by %s %d: ids must be unique", strings.TrimPrefix(doc.URI, r.base.URI+"#"), place, first))
		return nil
	}
	r.lines[doc.URI] = cmp.Or(line, r.row)
	r.count++
	if composed {
		r.countRow(order)
	}
	return r.pass(doc)
}

func (r *records) pass(doc graph.Document) error {
	r.yielding = true
	err := r.yield(doc)
	r.yielding = err != nil
	return err
}

// unixDate returns the date of a number of seconds or milliseconds since 1970, which has as many
// digits as one of this century, and another text as it is.
func unixDate(s string) string {
	whole, _, _ := strings.Cut(strings.TrimSpace(s), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 || len(whole) != 10 && len(whole) != 13 {
		return s
	}
	if len(whole) == 13 {
		n /= 1000
	}
	return time.Unix(n, 0).UTC().Format("2006-01-02T15:04")
}

// document makes the document of a record; an empty id means that the record has none.
// rest holds the fields that become metadata.
func (r *records) document(id, body, title, written string, rest map[string]string) graph.Document {
	doc := r.base
	doc.SHA256 = recordHash(body, title, written, rest)
	id = cmp.Or(id, r.idFor(doc.SHA256))
	doc.URI = r.base.URI + "#" + id
	doc.Text = decode.Clean(body)
	doc.Title = cmp.Or(decode.CleanLine(title), r.base.Title+" #"+id)
	doc.Date = cmp.Or(parse.Date(written), parse.RefineDate(r.base.Date, doc.Text))
	doc.Metadata = parse.Metadata(rest)
	return doc
}

// idFor returns the id of a record that has none, from its hash. It does not depend on
// the place of the record, so that one that is inserted leaves all others as they are.
// Equal records are numbered.
func (r *records) idFor(hash string) string {
	const digits = 16
	id := hash[:digits]
	r.equal[id]++
	if n := r.equal[id]; n > 1 {
		return id + "-" + strconv.Itoa(n)
	}
	return id
}

// recordHash returns the hash of a record without its id, so that a document whose
// id changes counts as moved.
func recordHash(text, title, date string, rest map[string]string) string {
	h := sha256.New()
	// Strings and maps of strings always encode, maps in key order.
	_ = json.NewEncoder(h).Encode([]any{text, title, date, rest})
	return hex.EncodeToString(h.Sum(nil))
}

// quoteNames lists names for a message, at most eight of them.
func quoteNames(names []string) string {
	const shown = 8
	if len(names) == 0 {
		return "no fields"
	}
	var b strings.Builder
	for i, name := range names {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(names)-shown)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(parse.Truncate(name, 40)))
	}
	return b.String()
}
