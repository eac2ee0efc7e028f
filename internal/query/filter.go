package query

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

var (
	// ErrFilter says that a filter leaves nothing, or that a method takes none.
	ErrFilter = errors.New("filter")
	// errNoneRests says that there is nothing for global to read.
	errNoneRests = errors.New("no report rests on the documents that it leaves")
	// errDate says how a date is written.
	errDate = errors.New("write it as 2026, 2026-03, 2026-03-01 or 2026-03-01T10:30")
)

// A Filter bounds what a question is answered from. The zero value bounds nothing.
type Filter struct {
	// Documents are patterns of which one must match the document's address, its
	// file name, or that without its extension: * stands for anything but /, ** for
	// anything, ? for one letter.
	Documents []string
	After     string   // documents dated that day or later
	Before    string   // documents dated earlier than that day
	Types     []string // text that mentions an entity of one of these types
}

// IsZero tells whether the filter bounds nothing.
func (f Filter) IsZero() bool {
	return len(f.Documents) == 0 && f.After == "" && f.Before == "" && len(f.Types) == 0
}

// String says what the filter asks for, as its flags do.
func (f Filter) String() string {
	var parts []string
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				parts = append(parts, "--"+flag+" "+v)
			}
		}
	}
	add("document", f.Documents...)
	add("after", f.After)
	add("before", f.Before)
	add("type", f.Types...)
	return strings.Join(parts, " ")
}

// scopeLimit bounds how many documents, and how many chunks, a filter may leave,
// since every search names them.
const (
	scopeLimit = 100_000
	scopePage  = 10_000
	shownTypes = 20
)

// within finds what a filter leaves of a corpus: nil for all of it.
func (e *Engine) within(ctx context.Context, f Filter) (*neo4jstore.Scope, error) {
	if f.IsZero() {
		return nil, nil
	}
	documents, err := e.documentsOf(ctx, f)
	if err != nil || len(f.Types) == 0 {
		return &neo4jstore.Scope{Documents: documents}, err
	}
	types, err := e.knownTypes(ctx, f.Types)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(documents))
	for _, key := range documents {
		wanted[key] = true
	}
	w := &neo4jstore.Scope{Chunks: []string{}}
	err = e.pages(f, func(after string) (int, string, error) {
		page, err := e.store.ChunksMentioning(ctx, e.options.Corpus, types, after, scopePage)
		for _, c := range page {
			if !wanted[c.Document] {
				continue
			}
			w.Chunks = append(w.Chunks, c.Key)
			w.Documents = append(w.Documents, c.Document)
		}
		if len(page) > 0 {
			after = page[len(page)-1].Key
		}
		return len(page), after, err
	}, &w.Chunks)
	slices.Sort(w.Documents)
	w.Documents = slices.Compact(w.Documents)
	return w, err
}

// documentsOf are the keys of the documents that names and dates leave.
func (e *Engine) documentsOf(ctx context.Context, f Filter) ([]string, error) {
	since, err := day(f.After)
	if err != nil {
		return nil, fmt.Errorf("%w --after %q: %w", ErrFilter, f.After, err)
	}
	until, err := day(f.Before)
	if err != nil {
		return nil, fmt.Errorf("%w --before %q: %w", ErrFilter, f.Before, err)
	}
	patterns := make([]*regexp.Regexp, len(f.Documents))
	for i, p := range f.Documents {
		if patterns[i], err = glob(p); err != nil {
			return nil, err
		}
	}
	var keys []string
	err = e.pages(f, func(after string) (int, string, error) {
		page, err := e.store.DocumentsBetween(ctx, e.options.Corpus, since, until, after, scopePage)
		for _, d := range page {
			if matches(patterns, d.URI) {
				keys = append(keys, d.Key)
			}
			after = d.Key
		}
		return len(page), after, err
	}, &keys)
	return keys, err
}

// pages reads page after page until one is not full. It ends with an error where
// more is kept than a search can name.
func (e *Engine) pages(f Filter, page func(after string) (read int, last string, err error), kept *[]string) error {
	after := graph.Key(e.options.Corpus, "")
	for {
		n, last, err := page(after)
		if err != nil {
			return err
		}
		if len(*kept) > scopeLimit {
			return fmt.Errorf("%w %s: it leaves more than %d documents or chunks of corpus %s: narrow it, or ask without it", ErrFilter, f, scopeLimit, e.options.Corpus)
		}
		if n < scopePage {
			return nil
		}
		after = last
	}
}

// nothingLeft says why a filter leaves no document of any corpus.
func (e *Engine) nothingLeft(ctx context.Context, f Filter) error {
	var about []string
	for _, part := range e.parts() {
		d, err := e.store.Dates(ctx, part.options.Corpus)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("corpus %s has %d documents, none of them with a date", part.options.Corpus, d.Documents)
		if d.Dated > 0 {
			what = fmt.Sprintf("corpus %s has %d documents, %d of them with a date, from %s to %s", part.options.Corpus, d.Documents, d.Dated, d.First, d.Last)
		}
		about = append(about, what)
	}
	return fmt.Errorf("%w %s: no document matches; %s", ErrFilter, f, strings.Join(about, "; "))
}

// knownTypes folds types and refuses those that no entity has.
func (e *Engine) knownTypes(ctx context.Context, wanted []string) ([]string, error) {
	known, err := e.store.EntityTypes(ctx, e.options.Corpus, scopePage)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(wanted))
	for i, t := range wanted {
		out[i] = strings.ToLower(strings.TrimSpace(t))
		if !slices.Contains(known, out[i]) {
			return nil, fmt.Errorf("%w --type %q: no entity of corpus %s has that type; there are %s", ErrFilter, t, e.options.Corpus, strings.Join(known[:min(len(known), shownTypes)], ", "))
		}
	}
	return out, nil
}

// day is the moment at which a date begins, as dates of documents are written.
func day(s string) (string, error) {
	if s = strings.TrimSpace(s); s == "" {
		return "", nil
	}
	for _, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly), nil
		}
	}
	if _, err := time.Parse("2006-01-02T15:04", s); err == nil {
		return s, nil
	}
	return "", errDate
}

// maxPattern is how long a pattern may be, in bytes.
const maxPattern = 1000

// glob turns a pattern into an expression over a whole name.
func glob(pattern string) (*regexp.Regexp, error) {
	if pattern == "" || len(pattern) > maxPattern {
		return nil, fmt.Errorf("%w --document: a pattern is 1 to %d bytes long", ErrFilter, maxPattern)
	}
	var b strings.Builder
	b.WriteString(`\A`)
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`(?s:.*)`)
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString(`[^/]`)
			rest = rest[1:]
		default:
			n := strings.IndexAny(rest, "*?")
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
		}
	}
	b.WriteString(`\z`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("%w --document %q: %w", ErrFilter, pattern, err)
	}
	return re, nil
}

// matches tells whether one of the patterns, if there are any, fits a document.
func matches(patterns []*regexp.Regexp, uri string) bool {
	base := path.Base(uri)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool {
		return re.MatchString(uri) || re.MatchString(base) || re.MatchString(stem)
	})
}
