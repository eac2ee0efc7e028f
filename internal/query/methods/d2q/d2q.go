// Package d2q answers from the chunks nearest to the question by a vector of their text and their
// questions (Doc2Query and Doc2Query--, QCG-RAG, section 3.1).
package d2q

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Method is registered under its name.
var Method = register(query.Method{
	Name:    "d2q",
	Summary: "the chunks nearest to the question by a vector of their text and all their questions (Doc2Query); needs `neorag index --with queries`",
	Profile: query.Profile{Reads: "the chunks nearest to the question by a vector of their text and their questions"},
}, false)

// Kept is the method with the questions that are kept.
var Kept = register(query.Method{
	Name:    "d2q--",
	Summary: "the same with only the questions that are kept (Doc2Query--)",
	Profile: query.Profile{Reads: "the same, with only the questions that are kept"},
}, true)

// register sets what both methods share.
func register(m query.Method, keptOnly bool) query.Method {
	m.Use, m.Paper = "comparisons with `qcg`", query.QCGRAG("3.1")
	m.Needs, m.Uses = []query.Artifact{query.Queries}, []query.Artifact{query.Vectors}
	m.Calls, m.Cost = "1", query.CostOf(1, 1, 7400, 7950, 49, 231)
	m.Scoped, m.Unpinned, m.Tuning = true, true, []string{"hits"}
	return query.RegisterRanked(m, func(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
		found, err := search(ctx, r, keptOnly)
		return found, nil, err
	})
}

// search ranks chunks by their vectors with their questions appended: all of them, or only those that
// are kept. A corpus without pairs is ErrNotIndexed.
func search(ctx context.Context, r query.Request, keptOnly bool) (retrieve.Ranking, error) {
	var hits []neo4jstore.Hit
	for _, c := range r.Reader.Corpora {
		if _, err := r.Reader.CorpusWith(ctx, c.Name, neo4jstore.ArtifactQueries); err != nil {
			return retrieve.Ranking{}, err
		}
		vector, err := c.Embed(ctx, r.Text)
		if err != nil {
			return retrieve.Ranking{}, err
		}
		own, err := r.Reader.Store.NearestWithQueries(ctx, c.Name, c.Filter, keptOnly, vector, max(1, r.VectorHits()))
		if err != nil {
			return retrieve.Ranking{}, err
		}
		hits = retrieve.ByHitScore(hits, own)
	}
	return retrieve.ByVector(hits), nil
}
