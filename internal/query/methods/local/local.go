// Package local answers from what surrounds the entities of a question (GraphRAG, section 6.2).
package local

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/overview"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "local",
	Summary: "entities near the question with what surrounds them: questions about particular things",
	Profile: query.Profile{
		Reads: "the entities that the question is about, with their relationships, claims, reports and chunks",
		Use:   "questions about particular people, places or things",
		Uses:  []query.Artifact{query.Reports, query.Vectors},
		Paper: query.GraphRAG("6.2"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 4000, 4300, 63, 220),
	},
	Settings: []query.Setting{
		query.OwnSetting("local", "spread", func(s *Settings, on bool) { s.PageRank = on }),
		query.OwnSetting("local", "diversity", func(s *Settings, x float64) { s.Diversity = x }),
	},
	Shared:   []string{"level"},
	Answer:   answerLocal,
	Retrieve: retrieveLocal,
	Scoped:   true,
	Unpinned: true,
	Tuning:   retrieve.NeighborhoodTuning(),
})

// Settings are the settings of local. The zero value has the defaults.
type Settings struct {
	PageRank  bool    // rank relationships by PageRank from the question's entities too
	Diversity float64 // from 0 to 1, how much a chunk loses for repeating another
}

func answerLocal(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return query.Answer{}, err
	}
	if route.MayName(r.Text) {
		if a, ok, err := overview.Answer(ctx, r, overview.FoundNames(found)); ok || err != nil {
			return a, err
		}
	}
	return AnswerFound(ctx, r, found)
}

// retrieveLocal ranks the chunks that a local context would be packed from, and
// the documents by their best chunk.
func retrieveLocal(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	near, notes, err := neighborhood(ctx, r, found.Tuned(r.Tuning))
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return query.RankingOf(near.Chunks, notes), nil
}

// neighborhood reads what surrounds the candidates, with its chunks reranked and
// diversified as the question asks. The notes include the notes of the search.
func neighborhood(ctx context.Context, r query.Request, found retrieve.Candidates) (retrieve.Neighborhood, []string, error) {
	settings := query.SettingsOf[Settings](r.Question, "local")
	near, err := r.Reader.Neighborhood(ctx, found, retrieve.NeighborhoodOptions{Level: r.Level.Number(), Question: r.Text, PageRank: settings.PageRank, Tuning: r.Tuning})
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	reranked, notes, err := r.Rerank(ctx, near.Chunks)
	if err != nil {
		return retrieve.Neighborhood{}, nil, err
	}
	near.Chunks = retrieve.Diversify(reranked, settings.Diversity)
	return near, slices.Concat(found.Notes, notes), nil
}

// AnswerFound answers from what surrounds the entities of the question,
// each kind within its share of the budget.
func AnswerFound(ctx context.Context, r query.Request, found retrieve.Candidates) (query.Answer, error) {
	tokens := r.Tokens(0)
	if r.ForModel() {
		tokens = r.Tokens(query.LocalTokens)
	}
	c, err := Context(ctx, r, found, tokens)
	if err != nil {
		return query.Answer{}, err
	}
	return r.AnswerContext(ctx, c)
}
