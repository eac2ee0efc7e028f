// Package kgr answers from relationships in similar documents (KG-Retriever, section 3.3).
package kgr

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "kgr",
	Summary: "relationships in the documents nearest to the question and in similar documents, with the chunks that mention their ends (KG-Retriever); needs `neorag index --with document-links`",
	Profile: query.Profile{
		Reads: "the entities most similar to the question in the nearest documents and the documents linked to them, with their relationships and chunks",
		Use:   "comparisons; questions that several similar documents answer",
		Needs: []query.Artifact{query.DocumentLinks},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "KG-Retriever", Section: "3.3", URL: "https://arxiv.org/abs/2412.05547"},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7244, 7632, 82, 187),
	},
	Traces:   []query.Trace{Trace{}},
	Answer:   answerKGR,
	Retrieve: retrieveKGR,
	Scoped:   true,
	Unpinned: true,
	Tuning:   tuningNames(),
})

// kgrSections are the sections of a context in the order shown.
var kgrSections = []query.SectionShare{{Kind: graph.KindRelationship, Share: .25}, {Kind: graph.KindChunk, Share: .75}}

func kgr(ctx context.Context, r query.Request) (result, error) {
	found, err := search(ctx, r)
	if err != nil {
		return found, err
	}
	chunks, notes, err := r.Rerank(ctx, found.chunks)
	found.chunks, found.Sources, found.notes = chunks, query.ScoredSources(chunks), slices.Concat(found.notes, notes)
	return found, err
}

func retrieveKGR(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := kgr(ctx, r)
	return query.RankingOf(found.chunks, found.notes), err
}

// answerKGR answers from relationships and chunks, each as far as they fit into their share.
func answerKGR(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := kgr(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	c := query.PackedContext{Known: query.KnownChunks(found.chunks), Notes: found.notes}
	blocks := query.NeighborhoodBlocks(retrieve.Neighborhood{Relationships: found.relationships, Chunks: found.chunks})
	c.Pack(blocks, kgrSections, r.ContextBudget(r.Tokens(0)))
	a, err := r.AnswerContext(ctx, c)
	a.Traces = append(a.Traces, found.Trace)
	return a, err
}
