package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A HybridQuery is the input of all searches of a corpus. The terms and pairs are those that
// passages and documents are searched by.
type HybridQuery struct {
	SearchQuery
	Names      []string     // possible keys of entities; keys without an entity are ignored
	Nodes      []NodeSearch // by terms
	TermHits   int          // maximum hits of each of Nodes
	VectorHits int          // maximum hits by vector, of each kind
	// Vectors are by the kind that is searched: Chunk, Entity or Relationship. They are of
	// the corpus' embedding model. A kind whose vector is nil or has no direction is not
	// searched by vector.
	Vectors map[graph.Kind][]float32
}

// A NodeSearch searches entities, relationships or claims by terms.
type NodeSearch struct {
	Terms string // a Lucene query; empty: no search
	Kinds []graph.Kind
}

// HybridResult holds the hits of a question, each list best first.
type HybridResult struct {
	SearchResult
	Names               []Hit // entities, in the order of the question; the owner is the type
	Entities            []Hit // by terms, like the next two; the owner is the type
	Relationships       []Hit
	Claims              []Hit
	EntityVectors       []Hit
	RelationshipVectors []Hit
	ChunkVectors        []Hit
	HasReports          bool                // there are visible reports
	Aliases             map[string][]string // all names of Entities, by key
}

// HybridSearch searches every index of a corpus in one round trip.
func (s *Store) HybridSearch(ctx context.Context, corpus string, q HybridQuery) (HybridResult, error) {
	found := HybridResult{SearchResult: SearchResult{PassageCounts: map[string]int{}}, Aliases: map[string][]string{}}
	views := map[string]*[]Hit{
		"passage": &found.Passages, "pairs": &found.Pairs, "document": &found.Documents, "lead": &found.Leads,
		"Entity": &found.Entities, "Relationship": &found.Relationships, "Claim": &found.Claims,
		"entity vector": &found.EntityVectors, "relationship vector": &found.RelationshipVectors, "chunk vector": &found.ChunkVectors,
		"name": &found.Names,
	}
	params := withIndexNames(corpus, map[string]any{
		"terms": q.Terms, "pairs": q.Pairs, "limit": max(1, q.Limit), "names": listOrEmpty(q.Names),
		"searches": q.searches(), "term_hits": max(1, q.TermHits), "vector_hits": max(1, q.VectorHits),
		"vector": q.vector(graph.KindChunk), "entity_vector": q.vector(graph.KindEntity), "relationship_vector": q.vector(graph.KindRelationship),
	})
	st := readHybrid
	if q.Scope != nil {
		st, params = readHybridInScope, q.scopeParams(params)
	}
	err := eachRow(ctx, s, st, corpus, params, func(row viewHit) {
		if row.View == "reports" {
			found.HasReports = true
			return
		}
		view := views[row.View]
		*view = append(*view, row.Hit)
		if len(row.Aliases) > 0 {
			found.Aliases[row.Key] = row.Aliases
		}
		if row.Document != "" {
			found.PassageCounts[row.Document] = row.Passages
		}
	})
	if err != nil {
		return HybridResult{}, searchError(corpus, err)
	}
	for _, view := range views {
		sortHits(*view)
	}
	at := map[string]int{}
	for i, name := range q.Names {
		at[name] = i
	}
	slices.SortFunc(found.Names, func(a, b Hit) int { return cmp.Compare(at[a.Key], at[b.Key]) })
	return found, nil
}

// searches returns Nodes as a parameter.
func (q HybridQuery) searches() []any {
	out := []any{}
	for _, n := range q.Nodes {
		if n.Terms != "" {
			out = append(out, map[string]any{"terms": n.Terms, "kinds": kindNames(n.Kinds)})
		}
	}
	return out
}

// vector returns the vector of a kind as a parameter, empty if there is none.
func (q HybridQuery) vector(kind graph.Kind) []float64 {
	v, err := queryVector(q.Vectors[kind])
	if err != nil {
		return []float64{}
	}
	return v
}

// vectorOverfetch is how many times more neighbours than wanted are read from the index
// to find those in a scope.
const vectorOverfetch = 10

// scopeParams adds the parameters of the scope. All chunks of the scope are compared with
// the vector; entities are found among the nearest ones of the corpus.
func (q HybridQuery) scopeParams(params map[string]any) map[string]any {
	params["vector_fetch"] = vectorOverfetch * max(1, q.VectorHits)
	return q.Scope.params(params)
}
