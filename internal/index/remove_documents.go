package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// Errors of the removal of documents.
var (
	ErrNoDocument    = errors.New("no such document")
	ErrOtherSettings = errors.New("the corpus was indexed with other settings")
)

// RemovableDocuments returns the documents that a removal would remove: stored ones, and excluded
// ones whose removal was interrupted. It writes nothing.
func (x *Indexer) RemovableDocuments(ctx context.Context, s Selection) (Chosen, error) {
	stored, kept, err := x.storedAndExcluded(ctx)
	if err != nil {
		return Chosen{}, err
	}
	chosen, err := s.choose(slices.Concat(stored, kept.Unfinished), kept.Documents)
	if err != nil {
		return Chosen{}, fmt.Errorf("remove from %s: %w", x.requested.Corpus, err)
	}
	return chosen, nil
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
// before it begins, so that what an interrupted one leaves is complete. The same call completes
// an interrupted removal. If the documents are removed already, it does nothing.
func (x *Indexer) RemoveDocuments(ctx context.Context, s Selection, purge func(context.Context, Purge) error) (Result, error) {
	out := newOutcome(x.requested)
	chosen, err := x.RemovableDocuments(ctx, s)
	if err != nil {
		return out.result, err
	}
	if len(chosen.URIs) == 0 {
		return out.finish(), nil
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
			words, err := x.WordsOnlyIn(ctx, chosen.URIs)
			if err != nil {
				return err
			}
			if err := purge(ctx, Purge{chosen.URIs, words}); err != nil {
				return err
			}
		}
		if err := x.exclude(ctx, writer, chosen.URIs); err != nil {
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
