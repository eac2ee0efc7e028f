package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// A HybridQuery is the input of all searches of a corpus. Names holds possible keys of
// entities, made of the words of the question; keys without an entity are ignored. The
// vector is that of the corpus' embedding model, if it has one.
type HybridQuery struct {
	SearchQuery
	Names      []string
	Vector     []float32 // nil or without direction: no vector search
	TermHits   int       // maximum hits by terms, of all kinds together
	VectorHits int       // maximum hits by vector, of each kind
}

// HybridResult holds the hits of a question, each list best first.
type HybridResult struct {
	SearchResult
	Names         []Hit // entities, in the order of the question
	Entities      []Hit // by terms, like the next two
	Relationships []Hit
	Claims        []Hit
	EntityVectors []Hit
	ChunkVectors  []Hit
	HasReports    bool // there are visible reports
}

// HybridSearch searches every index of a corpus in one round trip.
func (s *Store) HybridSearch(ctx context.Context, corpus string, q HybridQuery) (HybridResult, error) {
	found := HybridResult{SearchResult: SearchResult{PassageCounts: map[string]int{}}}
	views := map[string]*[]Hit{
		"passage": &found.Passages, "pairs": &found.Pairs, "document": &found.Documents, "lead": &found.Leads,
		"Entity": &found.Entities, "Relationship": &found.Relationships, "Claim": &found.Claims,
		"entity vector": &found.EntityVectors, "chunk vector": &found.ChunkVectors, "name": &found.Names,
	}
	vector, err := queryVector(q.Vector)
	if err != nil {
		vector = []float64{}
	}
	params := withIndexNames(corpus, map[string]any{
		"terms": q.Terms, "pairs": q.Pairs, "limit": max(1, q.Limit), "names": append([]string{}, q.Names...),
		"term_hits": max(1, q.TermHits), "vector": vector, "vector_hits": max(1, q.VectorHits),
	})
	st := cypher.ReadHybrid
	if q.Scope != nil {
		st, params = cypher.ReadHybridInScope, q.scopeParams(params)
	}
	err = s.read(ctx, st, corpus, params, eachRow(func(v values) {
		name := v.text("view")
		if name == "reports" {
			found.HasReports = true
			return
		}
		view := views[name]
		*view = append(*view, hit(v))
		if document := v.text("document"); document != "" {
			found.PassageCounts[document] = v.int("passages")
		}
	}))
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

// vectorOverfetch is how many times more neighbours than wanted are read from the index
// to find those in a scope.
const vectorOverfetch = 10

// scopeParams adds the parameters of the scope. All chunks of the scope are compared with
// the vector; entities are found among the nearest ones of the corpus.
func (q HybridQuery) scopeParams(params map[string]any) map[string]any {
	params["vector_fetch"] = vectorOverfetch * max(1, q.VectorHits)
	return q.Scope.params(params)
}
