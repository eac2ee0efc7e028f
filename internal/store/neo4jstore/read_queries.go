package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/neorag/neorag/internal/graph"
)

// A QAPair is a question-answer pair of a chunk.
type QAPair struct {
	Key        string
	Index      int // from 0, in its chunk
	Query      string
	Answer     string
	FP         string // of its texts and its embedder
	Kept       bool
	Similarity float64 // with its chunk
}

// A QueryChunk is a chunk whose pairs are to be made, with those that it has.
type QueryChunk struct {
	Key       string
	Text      string
	Vector    []float32
	QueriesFP string // of the texts of its pairs
	PairsFP   string // of these and their vectors
	Pairs     []QAPair
}

// PendingQueries reads at most limit chunks with a mark of the stage queries after the given
// key, in key order.
func (s *Store) PendingQueries(ctx context.Context, corpus, after string, limit int) ([]QueryChunk, error) {
	return readAll(ctx, s, readPendingQueries, corpus, map[string]any{"after": max(after, graph.Key(corpus, "")), "limit": limit}, "read chunks to make pairs of,")
}

// A Neighbour is an edge to a neighbour of a pair or entity.
type Neighbour struct {
	Key   string
	Score float64
}

// A QueryNode is a pair with its vector, which is nil if it is not kept, and neighbours.
type QueryNode struct {
	Key        string
	Kept       bool
	Marked     bool // for the stage link
	Vector     []float32
	Neighbours []Neighbour
}

// maxNeighbours is more than a pair has.
const maxNeighbours = 1000

// queryPage is how many pairs are read with their vectors at a time.
const queryPage = 2000

// QueryNodes passes all pairs of a corpus to each, in key order, page by page.
func (s *Store) QueryNodes(ctx context.Context, corpus string, each func(QueryNode)) error {
	return pageSpec[QueryNode]{
		reading: "read pairs", statement: readQueryVectors, corpus: corpus, limit: queryPage, key: func(n QueryNode) string { return n.Key },
	}.pass(ctx, s, each)
}

// MarkedQueries reads at most limit pairs with a mark of the stage link after the given key,
// in key order.
func (s *Store) MarkedQueries(ctx context.Context, corpus, after string, limit int) ([]QueryNode, error) {
	return readAll(ctx, s, readMarkedQueries, corpus, map[string]any{"after": max(after, graph.Key(corpus, "")), "limit": limit}, "read marked pairs")
}

// KeptQueries counts the pairs of a corpus that are kept.
func (s *Store) KeptQueries(ctx context.Context, corpus string) (int, error) {
	n, err := firstRow(ctx, s, readQueryCount, corpus, nil, nil)
	return n, wrap(err, "count pairs of corpus "+corpus)
}

// NearestQueries returns the kept pairs nearest to a vector by the vector index, which may
// miss some.
func (s *Store) NearestQueries(ctx context.Context, corpus string, vector []float32, limit int) ([]QueryHit, error) {
	return s.SearchQueries(ctx, corpus, QuerySearch{Vector: vector, Least: -1, Limit: limit})
}

// A QuerySearch is a search for pairs by a vector.
type QuerySearch struct {
	Vector []float32
	Least  float64 // cosine
	Limit  int     // of pairs that are found by the vector
	Hops   int     // edges that are followed from these: 0, 1 or 2
	// Neighbours bounds the edges of a pair that are followed, the nearest first; 0 means all.
	Neighbours int
	Scope      *Scope // nil for the whole corpus
}

// A QueryHit is a pair that a search found.
type QueryHit struct {
	Key, Query, Answer string
	Chunk, Document    string // keys
	Title              string // of the document
	ChunkIndex         int
	Kept               bool
	Cosine             float64
	Hop                int
}

// SearchQueries finds the kept pairs nearest to a vector, and those that are a few edges away,
// in one round trip. In a scope all are compared, so that none is missed; else the vector
// index finds them.
func (s *Store) SearchQueries(ctx context.Context, corpus string, q QuerySearch) ([]QueryHit, error) {
	doubles, err := queryVector(q.Vector)
	if err != nil {
		return nil, fmt.Errorf("search pairs of corpus %s: %w", corpus, err)
	}
	params := map[string]any{"vector": doubles, "least": q.Least, "limit": q.Limit, "hops": q.Hops, "neighbours": cmp.Or(q.Neighbours, maxNeighbours)}
	st := readSearchQueries
	if q.Scope != nil {
		st = readSearchQueriesInScope
		maps.Copy(params, q.Scope.params(keyRange(corpus, "", q.Limit)))
	} else {
		// The index has pairs that are not kept too, and misses some of the nearest if asked for few.
		params["fetch"] = 4*q.Limit + 100
	}
	hits, err := rows(ctx, s, st, corpus, params)
	return hits, searchError(corpus, err)
}

// QueryTexts passes all pairs of a corpus to each, in key order, without cosines.
func (s *Store) QueryTexts(ctx context.Context, corpus string, each func(QueryHit)) error {
	return pageSpec[QueryHit]{reading: "read pairs", statement: readQueryTexts, corpus: corpus, key: func(h QueryHit) string { return h.Key }}.pass(ctx, s, each)
}

// NearestWithQueries finds the chunks that are nearest to a vector together with their
// questions: all of them, or only those that are kept.
func (s *Store) NearestWithQueries(ctx context.Context, corpus string, w *Scope, keptOnly bool, vector []float32, limit int) ([]Hit, error) {
	doubles, err := queryVector(vector)
	if err != nil {
		return nil, fmt.Errorf("search vectors of corpus %s: %w", corpus, err)
	}
	name := d2qVectors[0]
	if keptOnly {
		name = d2qVectors[1]
	}
	if w == nil {
		return s.vectorHits(ctx, readSearchD2Q.For(string(graph.KindChunk), name), corpus, map[string]any{"vector": doubles, "limit": limit})
	}
	params := w.params(keyRange(corpus, "", limit))
	params["vector"] = doubles
	return s.vectorHits(ctx, readSearchD2QInScope.For(string(graph.KindChunk), name), corpus, params)
}
