package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Corpus is one corpus of a scope.
type Corpus struct {
	Name     string
	Embedder Embedder          // of the corpus's vectors; nil if they were made without a model
	Filter   *neo4jstore.Scope // the part of the corpus that may be read; nil means all

	Generation int64 // of communities and reports; Pin sets it
}

// A Reader reads the scope of one question: one or more corpora of a server,
// each restricted by the question's filter. It merges the results of the
// corpora, so that no caller distinguishes one corpus from several. A Reader is
// a value: no method changes it, and many goroutines may use it.
type Reader struct {
	Store   *neo4jstore.Store
	Corpora []Corpus
}

// NewReader returns a reader of the corpora, which must be of that store.
func NewReader(store *neo4jstore.Store, corpora ...Corpus) Reader {
	r := Reader{Store: store, Corpora: slices.Clone(corpora)}
	for i := range r.Corpora {
		if c := &r.Corpora[i]; c.Embedder != nil {
			c.Embedder = &cachedEmbedder{Embedder: c.Embedder, vectors: map[string][]float32{}}
		}
	}
	return r
}

// Of returns the reader of one corpus of the scope.
func (r Reader) Of(c Corpus) Reader { return Reader{Store: r.Store, Corpora: []Corpus{c}} }

// Filtered reports whether a filter excludes a part of the scope.
func (r Reader) Filtered() bool {
	return slices.ContainsFunc(r.Corpora, func(c Corpus) bool { return c.Filter != nil })
}

// Pin returns a reader of the generation of communities and reports that is
// visible now. A corpus that does not exist is ErrNotIndexed.
func (r Reader) Pin(ctx context.Context) (Reader, error) {
	pinned := Reader{Store: r.Store, Corpora: slices.Clone(r.Corpora)}
	for i := range pinned.Corpora {
		c := &pinned.Corpora[i]
		var err error
		c.Generation, err = r.Store.Generation(ctx, c.Name)
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
	return slices.EqualFunc(r.Corpora, o.Corpora, func(a, b Corpus) bool { return a.Generation == b.Generation })
}

// CheckChunks returns ErrNotIndexed when no corpus of the scope has chunks, or one does not exist.
func (r Reader) CheckChunks(ctx context.Context) error {
	var names []string
	for _, c := range r.Corpora {
		counts, err := r.Store.Counts(ctx, c.Name)
		if err != nil {
			return err
		}
		if counts.Chunks == 0 {
			names = append(names, c.Name)
		}
	}
	if len(names) < len(r.Corpora) {
		return nil
	}
	return Lacks("corpus " + strings.Join(names, ", ") + " has no documents: run `neorag index PATH`")
}

// artifactNames are what a corpus without an artifact lacks.
var artifactNames = map[neo4jstore.Artifact]string{
	neo4jstore.ArtifactQueries: "question-answer pairs", neo4jstore.ArtifactSentences: "sentences",
	neo4jstore.ArtifactDocumentLinks: "edges between similar documents",
}

// CorpusWith reads a corpus, which must have an artifact.
func (r Reader) CorpusWith(ctx context.Context, name string, artifact neo4jstore.Artifact) (neo4jstore.Corpus, error) {
	corpus, err := r.Store.Corpus(ctx, name)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return corpus, fmt.Errorf("corpus %s: %w: run `neorag index PATH --with %s` first", name, ErrNotIndexed, artifact)
	}
	if err == nil && !corpus.Has(artifact) {
		err = Lacks(fmt.Sprintf("corpus %s has no %s: run `neorag index PATH --with %s` to make them", name, artifactNames[artifact], artifact))
	}
	return corpus, err
}

// KeysOfCorpus are those keys that are of a corpus.
func KeysOfCorpus(corpus string, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return graph.CorpusOf(key) != corpus })
}

// Evidence resolves references. A reference to a node that is not in the scope
// is left out.
func (r Reader) Evidence(ctx context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	byCorpus := map[string][]graph.Reference{}
	for _, ref := range refs {
		byCorpus[graph.CorpusOf(ref.Key)] = append(byCorpus[graph.CorpusOf(ref.Key)], ref)
	}
	return ReadCorpora(r, func(c Corpus) ([]neo4jstore.Evidence, error) {
		if len(byCorpus[c.Name]) == 0 {
			return nil, nil
		}
		return r.Store.EvidenceInScope(ctx, c.Name, c.Filter, byCorpus[c.Name])
	})
}

// ChunkPlaces reads where chunks are in the files of their documents.
func (r Reader) ChunkPlaces(ctx context.Context, keys []string) ([]neo4jstore.PlacedChunk, error) {
	return readKeys(ctx, r, keys, r.Store.ChunkPlaces)
}

// readKeys reads the nodes with some keys, corpus by corpus.
func readKeys[T any](ctx context.Context, r Reader, keys []string, read func(ctx context.Context, corpus string, keys []string) ([]T, error)) ([]T, error) {
	return ReadCorpora(r, func(c Corpus) ([]T, error) {
		own := KeysOfCorpus(c.Name, keys)
		if len(own) == 0 {
			return nil, nil
		}
		return read(ctx, c.Name, own)
	})
}

// ReadCorpora joins what read returns of each corpus.
func ReadCorpora[T any](r Reader, read func(c Corpus) ([]T, error)) ([]T, error) {
	var out []T
	for _, c := range r.Corpora {
		own, err := read(c)
		if err != nil {
			return nil, err
		}
		out = append(out, own...)
	}
	return out, nil
}
