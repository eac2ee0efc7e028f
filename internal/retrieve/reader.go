package query

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A Corpus is one corpus of a scope.
type Corpus struct {
	Name     string
	Embedder Embedder          // of its vectors; nil where they were made without a model
	Filter   *neo4jstore.Scope // what may be read of it; nil means all

	generation int64 // of communities and reports; Pin sets it
}

// A Reader reads the scope of one question: one or more corpora of a server,
// each as far as the question's filter allows. It joins what the corpora give,
// so that no caller distinguishes one corpus from several. A Reader is a value:
// no method changes it, and many goroutines may use it.
type Reader struct {
	store   *neo4jstore.Store
	corpora []Corpus
}

// NewReader returns a reader of the corpora, which must be of that store.
func NewReader(store *neo4jstore.Store, corpora ...Corpus) Reader {
	return Reader{store: store, corpora: corpora}
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
			return fmt.Errorf("corpus %s: %w: it has no documents; run `neorag index PATH`", c.Name, ErrNotIndexed)
		}
	}
	return nil
}

// corpusOf is the corpus of a key.
func corpusOf(key string) string {
	name, _, _ := strings.Cut(key, "/")
	return name
}

// ofCorpus are those keys that are of a corpus.
func ofCorpus(corpus string, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return corpusOf(key) != corpus })
}

// ChunkRows reads chunks by key, in the order of the keys.
func (r Reader) ChunkRows(ctx context.Context, keys []string) ([]neo4jstore.ChunkRow, error) {
	place := make(map[string]int, len(keys))
	for i, key := range keys {
		place[key] = i
	}
	var out []neo4jstore.ChunkRow
	for _, c := range r.corpora {
		rows, err := r.store.ChunkRows(ctx, c.Name, ofCorpus(c.Name, keys))
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	slices.SortStableFunc(out, func(a, b neo4jstore.ChunkRow) int { return place[a.Key] - place[b.Key] })
	return out, nil
}

// chunkPage is how many chunks are read at a time.
const chunkPage = 1000

// AllChunks reads every chunk of the scope, corpus by corpus, in key order.
func (r Reader) AllChunks(ctx context.Context) ([]neo4jstore.ChunkRow, error) {
	var out []neo4jstore.ChunkRow
	for _, c := range r.corpora {
		after := graph.Key(c.Name, "")
		for {
			page, err := r.store.ChunkRowPageInScope(ctx, c.Name, c.Filter, after, chunkPage)
			if err != nil {
				return nil, err
			}
			if len(page) == 0 {
				break
			}
			after = page[len(page)-1].Key
			out = append(out, page...)
		}
	}
	return out, nil
}

// Neighborhood reads what surrounds nodes, in one round trip for each corpus.
func (r Reader) Neighborhood(ctx context.Context, q neo4jstore.NeighborhoodQuery) (neo4jstore.Neighborhood, error) {
	all := neo4jstore.Neighborhood{Members: map[string]int{}, Weights: map[string]float64{}}
	for _, c := range r.corpora {
		own := q
		own.Scope = c.Filter
		for _, keys := range []*[]string{&own.Entities, &own.Relationships, &own.Claims, &own.Chunks} {
			*keys = ofCorpus(c.Name, *keys)
		}
		found, err := r.store.Neighborhood(ctx, c.Name, own)
		if err != nil {
			return all, err
		}
		all.Entities, all.Relationships = append(all.Entities, found.Entities...), append(all.Relationships, found.Relationships...)
		all.Claims, all.Reports = append(all.Claims, found.Claims...), append(all.Reports, found.Reports...)
		all.Chunks, all.Mentioned = append(all.Chunks, found.Chunks...), append(all.Mentioned, found.Mentioned...)
		maps.Copy(all.Members, found.Members)
		maps.Copy(all.Weights, found.Weights)
	}
	slices.SortStableFunc(all.Entities, func(a, b graph.Entity) int {
		return slices.Index(q.Entities, a.Key) - slices.Index(q.Entities, b.Key)
	})
	slices.SortStableFunc(all.Reports, func(a, b neo4jstore.ReportRow) int { return all.Members[b.Key] - all.Members[a.Key] })
	return all, nil
}

// Evidence resolves references. One that points at nothing in the scope is left out.
func (r Reader) Evidence(ctx context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	byCorpus := map[string][]graph.Reference{}
	for _, ref := range refs {
		byCorpus[corpusOf(ref.Key)] = append(byCorpus[corpusOf(ref.Key)], ref)
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
