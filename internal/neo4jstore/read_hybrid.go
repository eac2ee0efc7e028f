package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// A HybridQuery is a question as all searches of a corpus take it. Names are keys
// of entities that the question may name; those that exist are found. Hashed
// says that the vector was made without a model: it is compared only in a
// corpus whose vectors were made so too, and only with entities.
type HybridQuery struct {
	SearchQuery
	Names      []string
	Vector     []float32 // nil or without direction: not asked
	Hashed     bool
	TermHits   int // hits of all kinds together by their terms
	VectorHits int // hits by vector
}

// HybridResult is what a question finds, each list best first.
type HybridResult struct {
	SearchResult
	Names         []Hit // entities, in the order of the question
	Entities      []Hit // by terms, as the two that follow
	Relationships []Hit
	Claims        []Hit
	EntityVectors []Hit
	ChunkVectors  []Hit
	HasReports    bool // reports are visible
}

// HybridSearch asks every index of a corpus in one round trip.
func (s *Store) HybridSearch(ctx context.Context, corpus string, q HybridQuery) (HybridResult, error) {
	found := HybridResult{SearchResult: SearchResult{PassageCounts: map[string]int{}}}
	views := map[string]*[]Hit{
		"passage": &found.Passages, "pairs": &found.Pairs, "document": &found.Documents, "lead": &found.Leads,
		"Entity": &found.Entities, "Relationship": &found.Relationships, "Claim": &found.Claims,
		"entity vector": &found.EntityVectors, "chunk vector": &found.ChunkVectors, "name": &found.Names,
	}
	vector, err := unitless(q.Vector)
	if err != nil {
		vector = []float64{}
	}
	params := map[string]any{
		"terms": q.Terms, "pairs": q.Pairs, "limit": max(1, q.Limit), "names": append([]string{}, q.Names...),
		"term_hits": max(1, q.TermHits), "vector": vector, "hashed": q.Hashed, "vector_hits": max(1, q.VectorHits),
	}
	st := cypher.ReadHybrid
	if q.Scope != nil {
		st, params = cypher.ReadHybridInScope, q.within(params)
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

// vectorsWithin is how many times more neighbours than wanted are looked at for
// those within a part of a corpus.
const vectorsWithin = 10

// within adds what bounds the search. All chunks of the part are compared with the
// vector; entities are those among the nearest of the corpus.
func (q HybridQuery) within(params map[string]any) map[string]any {
	params["vector_fetch"] = vectorsWithin * max(1, q.VectorHits)
	return q.Scope.params(params)
}
