package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/glob"
	"github.com/neorag/neorag/internal/text"
)

// Errors of the removal of documents.
var (
	ErrNoDocument    = errors.New("no such document")
	ErrOtherSettings = errors.New("the corpus was indexed with other settings")
)

// A Selection chooses documents by their URIs.
type Selection struct {
	Names []string // of documents, or of files and folders whose documents are chosen
	Globs []string // patterns of whole URIs, as in .gitignore
}

// from returns the chosen URIs, sorted. Names and patterns that choose
// none are ErrNoDocument.
func (s Selection) from(uris []string) ([]string, error) {
	chosen := map[string]bool{}
	var missing []string
	choose := func(what string, matches func(uri string) bool) {
		n := 0
		for _, uri := range uris {
			if matches(uri) {
				chosen[uri] = true
				n++
			}
		}
		if n == 0 {
			missing = append(missing, what)
		}
	}
	for _, name := range s.Names {
		name = strings.TrimSuffix(name, "/")
		choose(name, func(uri string) bool {
			rest, ok := strings.CutPrefix(uri, name)
			return ok && (rest == "" || rest[0] == '#' || rest[0] == '/')
		})
	}
	for _, pattern := range s.Globs {
		expr, err := glob.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		choose(pattern, expr.MatchString)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoDocument, strings.Join(missing, ", "))
	}
	return slices.Sorted(maps.Keys(chosen)), nil
}

// RemovableDocuments returns the URIs of the documents that a removal would remove,
// sorted. It writes nothing.
func (x *Indexer) RemovableDocuments(ctx context.Context, s Selection) (uris []string, err error) {
	if _, err := x.store.Corpus(ctx, x.requested.Corpus); err != nil {
		return nil, err
	}
	documents, err := x.store.Documents(ctx, x.requested.Corpus)
	if err != nil {
		return nil, fmt.Errorf("list documents of %s: %w", x.requested.Corpus, err)
	}
	all := make([]string, len(documents))
	for i, d := range documents {
		all[i] = d.URI
	}
	if uris, err = s.from(all); err != nil {
		return nil, fmt.Errorf("remove from %s: %w", x.requested.Corpus, err)
	}
	return uris, nil
}

// A Purge is what nothing may hold after a removal.
type Purge struct {
	URIs  []string        // of the documents, sorted
	Words map[string]bool // in lower case, that only the documents have
}

// RemoveDocuments removes documents from the corpus, with all that only they stated, and
// keeps them out of it until they are readmitted, whatever their files are. Everything
// that was derived from them is rebuilt, but a corpus without reports gets none. Settings
// that differ from the corpus's are ErrOtherSettings: a run with them would redo
// more. purge, if it is not nil, is called when nothing refuses the removal any more, and
// before it begins, so that what an interrupted one leaves is complete.
func (x *Indexer) RemoveDocuments(ctx context.Context, s Selection, purge func(context.Context, Purge) error) (Result, error) {
	out := newOutcome(x.requested)
	uris, err := x.RemovableDocuments(ctx, s)
	if err != nil {
		return out.result, err
	}
	if err := x.store.EnsureSchema(ctx); err != nil {
		return out.result, fmt.Errorf("prepare the schema: %w", err)
	}
	if err := probe(ctx, x.requested.Embedder); err != nil {
		return out.finishWithoutProbe(err)
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		out.writer = writer
		d, err := x.diff(ctx, source.Listing{})
		if err != nil {
			return err
		}
		if len(d.changedSettings) > 0 {
			return fmt.Errorf("remove documents from %s: %w: %s", x.requested.Corpus, ErrOtherSettings, strings.Join(sortedKeys(d.changedSettings), ", "))
		}
		if x, err = x.withoutMissingReports(ctx); err != nil {
			return err
		}
		if purge != nil {
			words, err := x.WordsOnlyIn(ctx, uris)
			if err != nil {
				return err
			}
			if err := purge(ctx, Purge{uris, words}); err != nil {
				return err
			}
		}
		if err := x.exclude(ctx, writer, func(excluded map[string]bool) { mark(excluded, uris) }); err != nil {
			return err
		}
		if d, err = x.diff(ctx, source.Listing{}); err != nil {
			return err
		}
		out.takeDiff(d)
		return newRun(x.store, d.effective, out).update(ctx, d)
	})
	return out.finish(), err
}

// withoutMissingReports returns an indexer that leaves the reports out if the corpus has none: a
// removal or new vectors must not pay for them, nor miss them.
func (x *Indexer) withoutMissingReports(ctx context.Context) (*Indexer, error) {
	counts, err := x.store.Counts(ctx, x.requested.Corpus)
	if err != nil {
		return nil, fmt.Errorf("count the reports of %s: %w", x.requested.Corpus, err)
	}
	if counts.Reports > 0 {
		return x, nil
	}
	requested := x.requested
	requested.WithoutReports = true
	return &Indexer{x.store, requested}, nil
}

// WordsOnlyIn returns the words, in lower case, that the texts and titles of the given
// documents of the corpus have and no other. It reads the text of the whole
// corpus.
func (x *Indexer) WordsOnlyIn(ctx context.Context, uris []string) (map[string]bool, error) {
	given, words := map[string]bool{}, map[string]bool{}
	mark(given, uris)
	for _, uri := range uris {
		chunks, err := x.store.DocumentChunks(ctx, x.requested.Corpus, graph.DocumentKey(x.requested.Corpus, uri))
		if err != nil {
			return nil, fmt.Errorf("read chunks of %s: %w", uri, err)
		}
		keys := make([]string, len(chunks))
		for i, c := range chunks {
			keys[i] = c.Key
		}
		rows, err := x.store.ChunkRows(ctx, x.requested.Corpus, keys)
		if err != nil {
			return nil, fmt.Errorf("read chunks of %s: %w", uri, err)
		}
		for _, c := range rows {
			for word := range text.Words(c.Text + "\n" + c.DocumentTitle) {
				words[word] = true
			}
		}
	}
	return words, x.removeOtherWords(ctx, given, words)
}

// wordPage is how many chunks are read at a time to compare words.
const wordPage = 500

// removeOtherWords removes the words that documents have which are not given.
func (x *Indexer) removeOtherWords(ctx context.Context, given, words map[string]bool) error {
	chunks := inPages(x.requested.Corpus, x.store.ChunkRowPage, wordPage, func(c neo4jstore.ChunkRow) string { return c.Key })
	for c, err := range chunks(ctx) {
		if err != nil {
			return fmt.Errorf("read chunks of %s: %w", x.requested.Corpus, err)
		}
		if given[c.DocumentURI] {
			continue
		}
		for word := range text.Words(c.Text + "\n" + c.DocumentTitle) {
			delete(words, word)
		}
		if len(words) == 0 {
			break
		}
	}
	return nil
}

// ExcludedDocuments returns the chosen URIs of the documents that are kept out of the corpus,
// sorted.
func (x *Indexer) ExcludedDocuments(ctx context.Context, s Selection) ([]string, error) {
	excluded, err := x.store.Excluded(ctx, x.requested.Corpus)
	if err != nil {
		return nil, err
	}
	chosen, err := s.from(excluded)
	if err != nil {
		return nil, fmt.Errorf("readmit to %s: %w", x.requested.Corpus, err)
	}
	return chosen, nil
}

// Readmit lets the next run index documents again that were removed, and returns their
// URIs.
func (x *Indexer) Readmit(ctx context.Context, s Selection) ([]string, error) {
	uris, err := x.ExcludedDocuments(ctx, s)
	if err != nil {
		return nil, err
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		return x.exclude(ctx, writer, func(excluded map[string]bool) {
			for _, uri := range uris {
				delete(excluded, uri)
			}
		})
	})
	return uris, err
}

// exclude changes the list of the documents that are kept out of the corpus.
func (x *Indexer) exclude(ctx context.Context, writer *neo4jstore.Writer, change func(map[string]bool)) error {
	before, err := x.store.Excluded(ctx, x.requested.Corpus)
	if err != nil {
		return err
	}
	now := map[string]bool{}
	mark(now, before)
	change(now)
	if err := writer.SetExcluded(ctx, slices.Sorted(maps.Keys(now))); err != nil {
		return fmt.Errorf("record the documents that are kept out of %s: %w", x.requested.Corpus, err)
	}
	return nil
}

// mark sets keys of a set.
func mark(set map[string]bool, keys []string) {
	for _, k := range keys {
		set[k] = true
	}
}
