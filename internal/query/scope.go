package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

const (
	// maxScope is the number of documents, and of chunks, that a filter may leave:
	// every search names them.
	maxScope      = 100_000
	scopePage     = 10_000 // documents or chunks read at a time
	maxShownTypes = 20     // in an error message
)

// scope returns a reader of what a question may be answered from by a method: the
// engine's corpora, each as far as the filter allows. Of several corpora those
// in which nothing matches are left out. It is ErrNoModel if the method needs a chat model that
// the engine does not have.
func (e *Engine) scope(ctx context.Context, m Method, f Filter) (retrieve.Reader, error) {
	if m.NeedsModel && e.options.Model == nil {
		return retrieve.Reader{}, ErrNoModel
	}
	several := len(e.corpora) > 1
	if !m.Scoped && (several || !f.IsZero()) {
		choose := namesOf(func(m Method) bool { return m.Scoped })
		return retrieve.Reader{}, fmt.Errorf("%w: the method %s takes no filters and only one corpus: choose one of %s", ErrFilter, m.Name, strings.Join(choose, ", "))
	}
	if f.IsZero() {
		return retrieve.NewReader(e.store, e.corpora...), nil
	}
	var corpora []retrieve.Corpus
	var unknown error
	for _, c := range e.corpora {
		left, err := e.narrow(ctx, c.Name, f)
		if err != nil || len(left.Documents) == 0 {
			if _, missing := retrieve.NewReader(e.store, c).Pin(ctx); missing != nil {
				return retrieve.Reader{}, missing // a missing corpus is the cause of both
			}
		}
		if errors.Is(err, ErrFilter) && several {
			unknown = errors.Join(unknown, err) // another corpus may have that type
			continue
		}
		if err != nil {
			return retrieve.Reader{}, err
		}
		if len(left.Documents) > 0 {
			c.Filter = left
			corpora = append(corpora, c)
		}
	}
	switch {
	case len(corpora) > 0:
		return retrieve.NewReader(e.store, corpora...), nil
	case unknown != nil:
		return retrieve.Reader{}, unknown
	default:
		return retrieve.Reader{}, e.nothingMatches(ctx, f)
	}
}

// narrow returns what a filter leaves of a corpus. The filter must not be zero.
func (e *Engine) narrow(ctx context.Context, corpus string, f Filter) (*neo4jstore.Scope, error) {
	documents, err := e.matchingDocuments(ctx, corpus, f)
	if err != nil || len(f.Types) == 0 {
		return &neo4jstore.Scope{Documents: documents}, err
	}
	types, err := e.knownTypes(ctx, corpus, f.Types)
	if err != nil {
		return nil, err
	}
	wanted := make(map[string]bool, len(documents))
	for _, key := range documents {
		wanted[key] = true
	}
	left := &neo4jstore.Scope{Chunks: []string{}}
	err = readPages(corpus, f, func(after string) (int, string, error) {
		page, err := e.store.ChunksMentioning(ctx, corpus, types, after, scopePage)
		for _, c := range page {
			if !wanted[c.Document] {
				continue
			}
			left.Chunks = append(left.Chunks, c.Key)
			left.Documents = append(left.Documents, c.Document)
		}
		if len(page) > 0 {
			after = page[len(page)-1].Key
		}
		return len(page), after, err
	}, &left.Chunks)
	slices.Sort(left.Documents)
	left.Documents = slices.Compact(left.Documents)
	return left, err
}

// matchingDocuments returns the keys of the documents whose names and dates match.
func (e *Engine) matchingDocuments(ctx context.Context, corpus string, f Filter) ([]string, error) {
	since, err := parseDay(f.After)
	if err != nil {
		return nil, fmt.Errorf("%w --after %q: %w", ErrFilter, f.After, err)
	}
	until, err := parseDay(f.Before)
	if err != nil {
		return nil, fmt.Errorf("%w --before %q: %w", ErrFilter, f.Before, err)
	}
	var patterns []*regexp.Regexp
	for _, p := range f.Documents {
		compiled, err := compilePattern(p)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, compiled...)
	}
	var keys []string
	err = readPages(corpus, f, func(after string) (int, string, error) {
		page, err := e.store.DocumentsBetween(ctx, corpus, since, until, after, scopePage)
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

// readPages calls page with the last key of the page before, until a page is not
// full. It fails when more than maxScope keys are kept.
func readPages(corpus string, f Filter, page func(after string) (read int, last string, err error), kept *[]string) error {
	after := graph.Key(corpus, "")
	for {
		n, last, err := page(after)
		if err != nil {
			return err
		}
		if len(*kept) > maxScope {
			return fmt.Errorf("%w %s: it leaves more than %d documents or chunks of corpus %s: narrow it, or ask without it", ErrFilter, f, maxScope, corpus)
		}
		if n < scopePage {
			return nil
		}
		after = last
	}
}

// nothingMatches explains why a filter leaves no document of any corpus.
func (e *Engine) nothingMatches(ctx context.Context, f Filter) error {
	var about []string
	for _, c := range e.corpora {
		d, err := e.store.Dates(ctx, c.Name)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("corpus %s has %d documents, none of them with a date", c.Name, d.Documents)
		if d.Dated > 0 {
			what = fmt.Sprintf("corpus %s has %d documents, %d of them with a date, from %s to %s", c.Name, d.Documents, d.Dated, d.First, d.Last)
		}
		about = append(about, what)
	}
	return fmt.Errorf("%w %s: no document matches; %s", ErrFilter, f, strings.Join(about, "; "))
}

// knownTypes returns types in lower case. A type that no entity has is an error.
func (e *Engine) knownTypes(ctx context.Context, corpus string, wanted []string) ([]string, error) {
	known, err := e.store.EntityTypes(ctx, corpus, scopePage)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(wanted))
	for i, t := range wanted {
		out[i] = strings.ToLower(strings.TrimSpace(t))
		if !slices.Contains(known, out[i]) {
			return nil, fmt.Errorf("%w --type %q: no entity of corpus %s has that type; there are %s", ErrFilter, t, corpus, strings.Join(known[:min(len(known), maxShownTypes)], ", "))
		}
	}
	return out, nil
}
