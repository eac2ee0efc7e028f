package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
)

// fieldTargets are what a record tells of its document besides metadata.
var fieldTargets = []string{"text", "title", "id", "date"}

const (
	maxRecordFailures = 1000    // named; the rest is counted
	maxRecords        = 2 << 20 // in a file
	maxID             = 400     // bytes
	maxMetadata       = 100     // fields of one record
	maxMetadataName   = 100     // bytes
	maxMetadataValue  = 4 << 10 // bytes
)

// records makes documents of the records of a file.
type records struct {
	ctx      context.Context //nolint:containedctx // it lives as long as one call of Read
	base     graph.Document
	fields   map[string]string
	docs     []graph.Document
	failures []Failure
	unnamed  int            // failures that are only counted
	lines    map[string]int // of the ids that came
}

func newRecords(ctx context.Context, base graph.Document, o Options) *records {
	return &records{ctx: ctx, base: base, fields: o.Fields, lines: map[string]int{}}
}

// field is the name that a record has for a target.
func (r *records) field(target string) string { return cmp.Or(r.fields[target], target) }

// column finds the name for a target among those of a record: as it is written,
// else without regard to case.
func (r *records) column(names []string, target string) (string, bool) {
	want := r.field(target)
	if slices.Contains(names, want) {
		return want, true
	}
	for _, name := range names {
		if strings.EqualFold(strings.TrimSpace(name), want) {
			return name, true
		}
	}
	return "", false
}

// fail names a record that cannot be read.
func (r *records) fail(line int, err error) {
	if len(r.failures) == maxRecordFailures {
		r.unnamed++
		last := &r.failures[maxRecordFailures-1]
		last.Err = fmt.Errorf("read %s: line %d and %d more: these cannot be read either", r.base.URI, last.Line, r.unnamed)
		return
	}
	r.failures = append(r.failures, Failure{
		URI: r.base.URI, Root: r.base.Root, Line: line,
		Err: fmt.Errorf("read %s: line %d: %w", r.base.URI, line, err),
	})
}

// add makes a document of a record: the nth (from 1) of its file, which begins
// on that line. The error is one of the whole file.
func (r *records) add(n, line int, values map[string]string) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if len(r.docs) == maxRecords {
		return fmt.Errorf("more than %d documents: split it", maxRecords)
	}
	names := slices.Sorted(maps.Keys(values))
	var known [4]string // in the order of fieldTargets
	for i, target := range fieldTargets {
		if name, ok := r.column(names, target); ok {
			known[i] = values[name]
			if i != 3 || strings.TrimSpace(known[i]) == "" || parseDate(known[i]) != "" {
				delete(values, name) // what is no date stays metadata
			}
		}
	}
	text, title, id, date := known[0], known[1], strings.TrimSpace(clean(known[2])), known[3]
	if strings.TrimSpace(text) == "" {
		r.fail(line, fmt.Errorf("no text in %q; with --field text=NAME another field is the text; there are %s", r.field("text"), listed(names)))
		return nil
	}
	if len(id) > maxID {
		r.fail(line, fmt.Errorf("the id has %d bytes, more than %d", len(id), maxID))
		return nil
	}
	id = cmp.Or(id, strconv.Itoa(n))
	if first, twice := r.lines[id]; twice {
		return fmt.Errorf("lines %d and %d both have the id %q: give each document an id of its own", first, line, id)
	}
	r.lines[id] = line
	r.docs = append(r.docs, r.document(id, text, title, date, values))
	return nil
}

func (r *records) document(id, text, title, written string, rest map[string]string) graph.Document {
	doc := r.base
	doc.URI = r.base.URI + "#" + id
	doc.Text = clean(text)
	doc.Title = cmp.Or(strings.Join(strings.Fields(clean(title)), " "), r.base.Title+" #"+id)
	doc.Date = cmp.Or(parseDate(written), date(r.base.Date, doc.Text))
	doc.Metadata = metadata(rest)
	doc.SHA256 = recordHash(text, title, written, rest)
	return doc
}

// recordHash stands for what a record says. It does not hold the id, so that a
// document whose id alone changed is seen to have moved.
func recordHash(text, title, date string, rest map[string]string) string {
	h := sha256.New()
	// Strings and maps of strings always encode, maps in the order of their keys.
	_ = json.NewEncoder(h).Encode([]any{text, title, date, rest})
	return hex.EncodeToString(h.Sum(nil))
}

// metadata bounds what the other fields of a record add to a document.
func metadata(rest map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		value := strings.TrimSpace(clean(rest[name]))
		key := cutText(strings.TrimSpace(clean(name)), maxMetadataName)
		if value == "" || key == "" {
			continue
		}
		if len(out) == maxMetadata {
			break
		}
		out[key] = cutText(value, maxMetadataValue)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// cutText is at most n bytes of s, whole runes, the last an ellipsis if something is missing.
func cutText(s string, n int) string {
	const ellipsis = "…"
	if len(s) <= n {
		return s
	}
	n -= len(ellipsis)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + ellipsis
}

// listed are names for a message, a few of them.
func listed(names []string) string {
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
		b.WriteString(strconv.Quote(cutText(name, 40)))
	}
	return b.String()
}

// unwrapSyntax is the reason in an error of a parser, on one line.
func unwrapSyntax(err error) error { return errors.New(oneLine(err)) }
