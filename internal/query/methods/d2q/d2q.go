// Package d2q answers from the chunks nearest to the question by a vector of their text and their
// questions (Doc2Query and Doc2Query--, QCG-RAG, section 3.1).
package d2q

import (
	"context"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "d2q",
	Summary: "the chunks nearest to the question by a vector of their text and all their questions (Doc2Query); needs `neorag index --with queries`",
	Profile: query.Profile{
		Reads: "the chunks nearest to the question by a vector of their text and their questions",
		Use:   "comparisons with `qcg`",
		Needs: []query.Artifact{query.Queries},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.QCGRAG("3.1"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7400, 7950, 49, 231),
	},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
}, rankChunks(false))

// Kept is the method with the questions that are kept.
var Kept = query.RegisterRanked(query.Method{
	Name:    "d2q--",
	Summary: "the same with only the questions that are kept (Doc2Query--)",
	Profile: query.Profile{
		Reads: "the same, with only the questions that are kept",
		Use:   "comparisons with `qcg`",
		Needs: []query.Artifact{query.Queries},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.QCGRAG("3.1"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7400, 7950, 49, 231),
	},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"hits"},
}, rankChunks(true))

// rankChunks ranks chunks by the vector of their text and their questions.
func rankChunks(keptOnly bool) query.Ranker {
	return func(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
		found, err := searchWithQueries(ctx, r.Reader, r.Text, keptOnly, r.VectorHits())
		return found, nil, err
	}
}
