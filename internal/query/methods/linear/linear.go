// Package linear answers from chunks that walks over sentences and entities lead to (LinearRAG,
// section 3).
package linear

import (
	"context"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "linear",
	Summary: "chunks by walks from the entities that the question names, over the sentences that name them (LinearRAG); needs `neorag index --with sentences`",
	Profile: query.Profile{
		Reads: "the chunks that entities of the question lead to over the sentences that name them",
		Use:   "comparisons with `fused`, which has the same walks as one of its paths",
		Needs: []query.Artifact{query.Sentences},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "LinearRAG", Section: "3", URL: "https://arxiv.org/abs/2510.10114"},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7453, 7892, 97, 187),
	},
	Traces:   []query.Trace{Trace{}},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"chunk", "hits", "least", "rounds", "sentences", "similar", "text"},
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := search(ctx, r)
	return found.Ranking, found.trace, err
}

// A Trace is what linear went through: the entities that became active, strongest first,
// the sentences that led to others, in the order of the rounds, and the sources, best first.
type Trace struct {
	Entities  []Entity             `json:"entities"`
	Sentences []Sentence           `json:"sentences"`
	Sources   []query.ScoredSource `json:"sources"`
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "linear" }

// Print prints what was activated.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nlinear activated %d entities over %d sentences:\n", len(t.Entities), len(t.Sentences))
	for _, e := range t.Entities[:min(query.PrintedNodes, len(t.Entities))] {
		fmt.Fprintf(w, "    %6.3f  %s, hop %d\n", e.Score, e.Name, e.Hop)
	}
	for _, s := range t.Sentences[:min(query.PrintedNodes, len(t.Sentences))] {
		fmt.Fprintf(w, "    %6.3f  %s\n", s.Cosine, text.OneLine(s.Text))
	}
	query.PrintSources(w, t.Sources, "their share of the walks", 4)
}

func (r result) trace(read []retrieve.Chunk) query.Trace {
	return Trace{
		Entities: append([]Entity{}, r.Entities...), Sentences: append([]Sentence{}, r.Sentences...),
		Sources: query.ScoredSources(read),
	}
}
