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

// scopeLimit bounds how many documents a filter may leave, since every search
// names them.
const (
	scopeLimit = 100_000
	scopePage  = 10_000
	shownTypes = 20
)

// within finds what a filter leaves of a corpus: nil for all of it.
func (e *Engine) within(ctx context.Context, f Filter) (*neo4jstore.Within, error) {
	if f.IsZero() {
		return nil, nil
	}
	since, err := day(f.After)
	if err != nil {
		return nil, fmt.Errorf("%w --after %q: %w", ErrFilter, f.After, err)
	}
	until, err := day(f.Before)
	if err != nil {
		return nil, fmt.Errorf("%w --before %q: %w", ErrFilter, f.Before, err)
	}
	w := &neo4jstore.Within{}
	if len(f.Types) > 0 {
		if w.Types, err = e.knownTypes(ctx, f.Types); err != nil {
			return nil, err
		}
	}
	if len(f.Documents) == 0 && since == "" && until == "" {
		return w, nil
	}
	patterns := make([]*regexp.Regexp, len(f.Documents))
	for i, p := range f.Documents {
		if patterns[i], err = glob(p); err != nil {
			return nil, err
		}
	}
	w.Documents = []string{}
	after := graph.Key(e.options.Corpus, "")
	for {
		page, err := e.store.DocumentsOfSpan(ctx, e.options.Corpus, since, until, after, scopePage)
		if err != nil {
			return nil, err
		}
		for _, d := range page {
			if matches(patterns, d.URI) {
				w.Documents = append(w.Documents, d.Key)
			}
		}
		if len(w.Documents) > scopeLimit {
			return nil, fmt.Errorf("%w %s: it leaves more than %d documents of corpus %s: narrow it, or ask without it", ErrFilter, f, scopeLimit, e.options.Corpus)
		}
		if len(page) < scopePage {
			return w, nil
		}
		after = page[len(page)-1].Key
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
