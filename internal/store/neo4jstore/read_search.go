package neo4jstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
)

// A Hit is a node that a search found. Owner is the chunk of a passage or claim, the
// community of a report, or, for a document, the document itself. Document is the
// document of a passage or chunk. Either is empty if there is none.
type Hit struct {
	Key      string
	Owner    string
	Document string
	Score    float64
}

// A viewHit is a hit of one of the indexes that are searched together.
type viewHit struct {
	Hit

	View     string
	Passages int // of the document
	Aliases  []string
}

// A SearchQuery is a question as Lucene queries, one over terms and one over word pairs.
// An empty one is skipped. Limit applies to each view.
type SearchQuery struct {
	Terms string
	Pairs string
	Limit int
	// Scope, if not nil, restricts what is found. The limit counts hits in the scope.
	Scope *Scope
}

// A SearchResult holds the hits of each full-text view, best first, and the number of
// passages of each document that has a hit.
type SearchResult struct {
	Passages      []Hit
	Pairs         []Hit
	Documents     []Hit
	Leads         []Hit
	PassageCounts map[string]int
}

// Search searches all full-text views of a corpus in one round trip.
func (s *Store) Search(ctx context.Context, corpus string, q SearchQuery) (SearchResult, error) {
	result := SearchResult{PassageCounts: map[string]int{}}
	views := map[string]*[]Hit{
		"passage": &result.Passages, "pairs": &result.Pairs, "document": &result.Documents, "lead": &result.Leads,
	}
	if q.Limit <= 0 || q.Terms == "" && q.Pairs == "" {
		return result, nil
	}
	params := withIndexNames(corpus, map[string]any{"terms": q.Terms, "pairs": q.Pairs, "limit": q.Limit})
	st := readSearch
	if q.Scope != nil {
		st, params = readSearchInScope, q.Scope.params(params)
	}
	err := eachRow(ctx, s, st, corpus, params, func(row viewHit) {
		view := views[row.View]
		*view = append(*view, row.Hit)
		result.PassageCounts[row.Document] = row.Passages
	})
	if err != nil {
		return SearchResult{}, searchError(corpus, err)
	}
	for _, view := range views {
		sortHits(*view)
	}
	return result, nil
}

// SearchTerms finds nodes of the given kinds by their terms: entities, relationships,
// claims, visible reports, queries. One index holds all kinds: the server reads its hits,
// best first, until it has enough of the given kinds.
func (s *Store) SearchTerms(ctx context.Context, corpus string, kinds []graph.Kind, lucene string, limit int) ([]Hit, error) {
	if lucene == "" || limit <= 0 || len(kinds) == 0 {
		return nil, nil
	}
	hits, err := rows(ctx, s, readSearchTerms, corpus, map[string]any{"lucene": lucene, "kinds": kindNames(kinds), "limit": limit})
	sortHits(hits)
	return hits, searchError(corpus, err)
}

// SearchVector finds the nodes of a kind whose embeddings are nearest to the vector; of
// reports only visible ones. The score is the cosine.
func (s *Store) SearchVector(ctx context.Context, corpus string, kind graph.Kind, vector []float32, limit int) ([]Hit, error) {
	if limit <= 0 {
		return nil, nil
	}
	doubles, err := queryVector(vector)
	if err != nil {
		return nil, fmt.Errorf("search vectors of corpus %s: %w", corpus, err)
	}
	fetch := limit
	if kind == graph.KindReport {
		fetch = 3 * limit // the index also has reports that ended and are not deleted yet
	}
	st := readSearchVector.For(string(kind))
	params := map[string]any{"vector": doubles, "fetch": fetch, "limit": limit}
	return s.vectorHits(ctx, st, corpus, params)
}

// NearestInScope finds the chunks of a scope whose vectors are nearest. It compares all
// of them, so that none is missed.
func (s *Store) NearestInScope(ctx context.Context, corpus string, w *Scope, vector []float32, limit int) ([]Hit, error) {
	if w == nil {
		return s.SearchVector(ctx, corpus, graph.KindChunk, vector, limit)
	}
	doubles, err := queryVector(vector)
	if err != nil {
		return nil, fmt.Errorf("search vectors of corpus %s: %w", corpus, err)
	}
	params := w.params(keyRange(corpus, "", limit))
	params["vector"] = doubles
	return s.vectorHits(ctx, readSearchVectorInScope, corpus, params)
}

// vectorHits reads the hits of a vector search, best first. It converts the scores of the
// server, from 0 to 1, to cosines.
func (s *Store) vectorHits(ctx context.Context, st typed[Hit], corpus string, params map[string]any) ([]Hit, error) {
	hits, err := rowsAs(ctx, s, st, corpus, params, func(h Hit) Hit {
		h.Score = 2*h.Score - 1
		return h
	})
	sortHits(hits)
	return hits, searchError(corpus, err)
}

// kindNames returns kinds as a parameter.
func kindNames(kinds []graph.Kind) []string {
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = string(kind)
	}
	return names
}

// queryVector checks and converts the vector of a question. A zero vector has no
// direction, so it is near to nothing.
func queryVector(vector []float32) ([]float64, error) {
	list, squares := toFloat64(vector)
	if !isPositive(squares) {
		return nil, fmt.Errorf("the vector of the question, of %d dimensions, has no direction", len(vector))
	}
	return list, nil
}

// searchError explains a missing index: the corpus was never indexed, or is being
// dropped; and one of vectors of another dimension: a change of the embedder was
// interrupted, or its model returns other vectors than before.
func searchError(corpus string, err error) error {
	server, ok := errors.AsType[*neo4j.Neo4jError](err)
	switch {
	case err == nil:
		return nil
	case ok && strings.Contains(server.Msg, "There is no such") && strings.Contains(server.Msg, "index"):
		return fmt.Errorf("search corpus %s: %w: it has no such index; index the corpus first (%w)", corpus, ErrNoCorpus, err)
	case ok && (strings.Contains(server.Msg, "dimensions, but indexed vectors have") || strings.Contains(server.Msg, "has a configured dimensionality of")): // the second since 2026
		return fmt.Errorf("search corpus %s: %w than the question: run `neorag index` or `neorag embed --again` with the embedding model that you want (%w)", corpus, ErrDimension, err)
	}
	return fmt.Errorf("search corpus %s: %w", corpus, err)
}

// sortHits sorts by score, best first, then by key, so that answers do not depend on the
// order of insertion.
func sortHits(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
}
