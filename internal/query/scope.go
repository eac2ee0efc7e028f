package query

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// scopeLimit bounds how many documents, and how many chunks, a filter may leave,
// since every search names them.
const (
	scopeLimit = 100_000
	scopePage  = 10_000
	shownTypes = 20
)

// scope returns a reader of what a question may be answered from by a method: the
// engine's corpora, each as far as the filter allows. Of several corpora those
// in which nothing matches are left out.
func (e *Engine) scope(ctx context.Context, m Method, f Filter) (Reader, error) {
	several := len(e.corpora) > 1
	if !m.scoped && (several || !f.IsZero()) {
		return Reader{}, fmt.Errorf("%w: the method %s takes no filters and one corpus alone: choose one of %s", ErrFilter, m.Name, strings.Join(scopedMethods(), ", "))
	}
	if f.IsZero() {
		return NewReader(e.store, e.corpora...), nil
	}
	var corpora []Corpus
	var unknown error
	for _, c := range e.corpora {
		w, err := e.narrow(ctx, c.Name, f)
		if err != nil || len(w.Documents) == 0 {
			if _, missing := NewReader(e.store, c).Pin(ctx); missing != nil {
				return Reader{}, missing // a missing corpus is the cause of both
			}
		}
		if errors.Is(err, ErrFilter) && several {
			unknown = errors.Join(unknown, err) // another corpus may have that type
			continue
		}
		if err != nil {
			return Reader{}, err
		}
		if len(w.Documents) > 0 {
			c.Filter = w
			corpora = append(corpora, c)
		}
	}
	switch {
	case len(corpora) > 0:
		return NewReader(e.store, corpora...), nil
	case unknown != nil:
		return Reader{}, unknown
	default:
		return Reader{}, e.nothingMatches(ctx, f)
	}
}

// narrow finds what a filter, which is not zero, leaves of a corpus.
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
	w := &neo4jstore.Scope{Chunks: []string{}}
	err = pages(corpus, f, func(after string) (int, string, error) {
		page, err := e.store.ChunksMentioning(ctx, corpus, types, after, scopePage)
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

// matchingDocuments are the keys of the documents whose names and dates match.
func (e *Engine) matchingDocuments(ctx context.Context, corpus string, f Filter) ([]string, error) {
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
	err = pages(corpus, f, func(after string) (int, string, error) {
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

// pages reads page after page until one is not full. It ends with an error where
// more is kept than a search can name.
func pages(corpus string, f Filter, page func(after string) (read int, last string, err error), kept *[]string) error {
	after := graph.Key(corpus, "")
	for {
		n, last, err := page(after)
		if err != nil {
			return err
		}
		if len(*kept) > scopeLimit {
			return fmt.Errorf("%w %s: it leaves more than %d documents or chunks of corpus %s: narrow it, or ask without it", ErrFilter, f, scopeLimit, corpus)
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

// knownTypes folds types and refuses those that no entity has.
func (e *Engine) knownTypes(ctx context.Context, corpus string, wanted []string) ([]string, error) {
	known, err := e.store.EntityTypes(ctx, corpus, scopePage)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(wanted))
	for i, t := range wanted {
		out[i] = strings.ToLower(strings.TrimSpace(t))
		if !slices.Contains(known, out[i]) {
			return nil, fmt.Errorf("%w --type %q: no entity of corpus %s has that type; there are %s", ErrFilter, t, corpus, strings.Join(known[:min(len(known), shownTypes)], ", "))
		}
	}
	return out, nil
}
