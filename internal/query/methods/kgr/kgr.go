// Package kgr answers from relationships in similar documents (KG-Retriever, section 3.3).
package kgr

import (
	"context"
	"fmt"
	"io"
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
	Tuning:   []string{"documents", "entities", "similar"},
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

// A Trace is what kgr found, each kind best first: the documents with their weights, the
// entities in them, and the relationships and sources that the answer is made from.
type Trace struct {
	Documents     []query.ScoredSource `json:"documents"`     // that were searched; the score is 1 for those nearest to the question, else the similarity to one of these
	Entities      []query.ScoredSource `json:"entities"`      // in these documents; the score is their similarity to the question, times the score of the document
	Relationships []query.ScoredSource `json:"relationships"` // each with the score of the better one of its ends
	Sources       []query.ScoredSource `json:"sources"`       // by the entities that they mention
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "kgr" }

// Print prints what was found.
func (t Trace) Print(w io.Writer) {
	fmt.Fprint(w, "\nkgr searched the documents nearest to the question, and the similar documents linked to them:\n")
	query.PrintScored(w, t.Documents, 3)
	fmt.Fprintf(w, "  %d entities in them by their similarity to the question\n", len(t.Entities))
	query.PrintScored(w, t.Entities, 3)
	fmt.Fprintf(w, "  %d relationships of these\n", len(t.Relationships))
	query.PrintScored(w, t.Relationships, 3)
	query.PrintSources(w, t.Sources, "the entities that they mention", 3)
}
