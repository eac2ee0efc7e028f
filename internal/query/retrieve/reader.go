package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Corpus is one corpus of a scope.
type Corpus struct {
	Name     string
	Embedder Embedder          // of the corpus's vectors; nil if they were made without a model
	Filter   *neo4jstore.Scope // the part of the corpus that may be read; nil means all

	generation int64 // of communities and reports; Pin sets it
}

// A Reader reads the scope of one question: one or more corpora of a server,
// each restricted by the question's filter. It merges the results of the
// corpora, so that no caller distinguishes one corpus from several. A Reader is
// a value: no method changes it, and many goroutines may use it.
type Reader struct {
	store   *neo4jstore.Store
	corpora []Corpus
}

// NewReader returns a reader of the corpora, which must be of that store.
func NewReader(store *neo4jstore.Store, corpora ...Corpus) Reader {
	r := Reader{store: store, corpora: slices.Clone(corpora)}
	for i := range r.corpora {
		if c := &r.corpora[i]; c.Embedder != nil {
			c.Embedder = &rememberingEmbedder{Embedder: c.Embedder, vectors: map[string][]float32{}}
		}
	}
	return r
}

// Filtered reports whether a filter excludes a part of the scope.
func (r Reader) Filtered() bool {
	return slices.ContainsFunc(r.corpora, func(c Corpus) bool { return c.Filter != nil })
}

// Pin returns a reader of the generation of communities and reports that is
// visible now. A corpus that does not exist is ErrNotIndexed.
func (r Reader) Pin(ctx context.Context) (Reader, error) {
	pinned := Reader{store: r.store, corpora: slices.Clone(r.corpora)}
	for i := range pinned.corpora {
		c := &pinned.corpora[i]
		var err error
		c.generation, err = r.store.Generation(ctx, c.Name)
		if errors.Is(err, neo4jstore.ErrNoCorpus) {
			return Reader{}, fmt.Errorf("corpus %s: %w: run `neorag index PATH` first", c.Name, ErrNotIndexed)
		}
		if err != nil {
			return Reader{}, err
		}
	}
	return pinned, nil
}

// SameGeneration reports whether two pinned readers of the same scope see the
// same communities and reports.
func (r Reader) SameGeneration(o Reader) bool {
	return slices.EqualFunc(r.corpora, o.corpora, func(a, b Corpus) bool { return a.generation == b.generation })
}

// CheckChunks returns ErrNotIndexed when a corpus of the scope has no chunks.
func (r Reader) CheckChunks(ctx context.Context) error {
	for _, c := range r.corpora {
		counts, err := r.store.Counts(ctx, c.Name)
		if err != nil {
			return err
		}
		if counts.Chunks == 0 {
			return lacks("corpus " + c.Name + " has no documents: run `neorag index PATH`")
		}
	}
	return nil
}

// keysOfCorpus are those keys that are of a corpus.
func keysOfCorpus(corpus string, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return graph.CorpusOf(key) != corpus })
}

// Evidence resolves references. A reference to a node that is not in the scope
// is left out.
func (r Reader) Evidence(ctx context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	byCorpus := map[string][]graph.Reference{}
	for _, ref := range refs {
		byCorpus[graph.CorpusOf(ref.Key)] = append(byCorpus[graph.CorpusOf(ref.Key)], ref)
	}
	var out []neo4jstore.Evidence
	for _, c := range r.corpora {
		own := byCorpus[c.Name]
		if len(own) == 0 {
			continue
		}
		found, err := r.store.EvidenceInScope(ctx, c.Name, c.Filter, own)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// ChunkPlaces reads where chunks are in the files of their documents.
func (r Reader) ChunkPlaces(ctx context.Context, keys []string) ([]neo4jstore.PlacedChunk, error) {
	return readCorpora(r, func(c Corpus) ([]neo4jstore.PlacedChunk, error) {
		own := keysOfCorpus(c.Name, keys)
		if len(own) == 0 {
			return nil, nil
		}
		return r.store.ChunkPlaces(ctx, c.Name, own)
	})
}

// readCorpora joins what read returns of each corpus.
func readCorpora[T any](r Reader, read func(c Corpus) ([]T, error)) ([]T, error) {
	var out []T
	for _, c := range r.corpora {
		own, err := read(c)
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}
