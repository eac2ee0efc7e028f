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

// Federate answers questions over several corpora of one server as over one. The
// options, but for corpus and embedder, are those of the first engine. Methods
// that cannot do that say so.
func Federate(engines ...*Engine) (*Engine, error) {
	if len(engines) == 0 {
		return nil, errors.New("answer over corpora together: there are none")
	}
	if len(engines) == 1 {
		return engines[0], nil
	}
	var names []string
	for _, e := range engines {
		if slices.Contains(names, e.options.Corpus) {
			return nil, fmt.Errorf("answer over corpora together: %s is named twice", e.options.Corpus)
		}
		names = append(names, e.options.Corpus)
	}
	all := *engines[0]
	all.options.Corpus = strings.Join(names, ",")
	all.joined = slices.Clone(engines)
	return &all, nil
}

// parts are the engines of the single corpora.
func (e *Engine) parts() []*Engine {
	if e.joined == nil {
		return []*Engine{e}
	}
	return e.joined
}

// bounded is the engine for one question: it reads what the filter leaves. A
// corpus of several that has nothing left takes no part.
func (e *Engine) bounded(ctx context.Context, q Question) (*Engine, error) {
	m := methods[q.Method]
	if !m.bounded && (e.joined != nil || !q.Filter.IsZero()) {
		return nil, fmt.Errorf("%w: the method %s takes no filters and one corpus alone: choose one of %s", ErrFilter, q.Method, strings.Join(boundedMethods(), ", "))
	}
	if q.Filter.IsZero() {
		return e, nil
	}
	var parts []*Engine
	var unknown error
	for _, part := range e.parts() {
		w, err := part.within(ctx, q.Filter)
		if err != nil || len(w.Documents) == 0 {
			if _, absent := part.generation(ctx); absent != nil {
				return nil, absent // that there is no such corpus says more
			}
		}
		if errors.Is(err, ErrFilter) && e.joined != nil {
			unknown = errors.Join(unknown, err) // another corpus may have that type
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(w.Documents) > 0 {
			own := *part
			own.only = w
			parts = append(parts, &own)
		}
	}
	switch {
	case len(parts) == 0 && unknown != nil:
		return nil, unknown
	case len(parts) == 0:
		return nil, e.nothingLeft(ctx, q.Filter)
	case e.joined == nil:
		return parts[0], nil
	}
	out := *e
	out.joined, out.only = parts, parts[0].only
	return &out, nil
}

func boundedMethods() []string {
	return slices.DeleteFunc(MethodNames(), func(name string) bool { return !methods[name].bounded })
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

// chunkRows reads chunks of any of the corpora, in the order of the keys.
func (e *Engine) chunkRows(ctx context.Context, keys []string) ([]neo4jstore.ChunkRow, error) {
	place := make(map[string]int, len(keys))
	for i, key := range keys {
		place[key] = i
	}
	var out []neo4jstore.ChunkRow
	for _, part := range e.parts() {
		rows, err := e.store.ChunkRows(ctx, part.options.Corpus, ofCorpus(part.options.Corpus, keys))
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	slices.SortStableFunc(out, func(a, b neo4jstore.ChunkRow) int { return place[a.Key] - place[b.Key] })
	return out, nil
}

// around reads what stands around nodes of any of the corpora, in one round trip each.
func (e *Engine) around(ctx context.Context, q neo4jstore.NeighborhoodQuery) (neo4jstore.Neighborhood, error) {
	if e.joined == nil {
		q.Scope = e.only
		return e.store.Neighborhood(ctx, e.options.Corpus, q)
	}
	all := neo4jstore.Neighborhood{Members: map[string]int{}, Weights: map[string]float64{}}
	for _, part := range e.parts() {
		own := q
		for _, keys := range []*[]string{&own.Entities, &own.Relationships, &own.Claims, &own.Chunks} {
			*keys = ofCorpus(part.options.Corpus, *keys)
		}
		found, err := part.around(ctx, own)
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

// evidence resolves references into any of the corpora.
func (e *Engine) evidence(ctx context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	byCorpus := map[string][]graph.Reference{}
	for _, ref := range refs {
		byCorpus[corpusOf(ref.Key)] = append(byCorpus[corpusOf(ref.Key)], ref)
	}
	var out []neo4jstore.Evidence
	for _, part := range e.parts() {
		own := byCorpus[part.options.Corpus]
		if len(own) == 0 {
			continue
		}
		found, err := e.store.EvidenceInScope(ctx, part.options.Corpus, part.only, own)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
