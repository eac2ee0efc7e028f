// Package ppr answers from chunks that walks from the facts nearest to a question lead to (HippoRAG 2,
// section 3).
package ppr

import (
	"context"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "ppr",
	Summary: "chunks by walks from the facts that are near to the question, over entities and the chunks that mention them (HippoRAG 2)",
	Profile: query.Profile{
		Reads: "the chunks that the relationships nearest to the question lead to; with a model, only relationships that it chooses",
		Use:   "questions that need several facts",
		Uses:  []query.Artifact{query.Vectors, query.Synonyms},
		Paper: query.Paper{Name: "HippoRAG 2", Section: "3", URL: "https://arxiv.org/abs/2502.14802"},
		Calls: "2",
		Cost:  query.CostOf(2, 2, 7944, 8503, 114, 242),
	},
	Traces:   []query.Trace{Trace{}},
	Prompts:  []string{prompts.Facts},
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"chunk", "entities", "facts", "hits", "text"},
}, rankChunks)

// rankChunks ranks chunks. A model, if there is one, chooses among the facts.
func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := search(ctx, r)
	return found.Ranking, found.trace, err
}

// A Trace is what ppr started from, nearest first: the relationships that it found, and the
// entities at which walks started; and the sources, best first.
type Trace struct {
	Facts    []Fact               `json:"facts"`
	Entities []Entity             `json:"entities"`
	Sources  []query.ScoredSource `json:"sources"`
}

// An Entity is an entity at which walks started.
type Entity struct {
	Key    string  `json:"key"`
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "ppr" }

// Print prints where walks started.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nppr found %d relationships:\n", len(t.Facts))
	for _, f := range t.Facts {
		kept := ""
		if !f.Kept {
			kept = " (not used)"
		}
		fmt.Fprintf(w, "    %6.3f  %s \u2014 %s%s: %s\n", f.Score, f.Source, f.Target, kept, text.Shorten(text.OneLine(f.Description), 120))
	}
	fmt.Fprintf(w, "  walks from %d entities\n", len(t.Entities))
	for _, e := range t.Entities {
		fmt.Fprintf(w, "    %6.3f  %s\n", e.Weight, e.Name)
	}
	query.PrintSources(w, t.Sources, "their share of the walks", 4)
}

func (r result) trace(read []retrieve.Chunk) query.Trace {
	return Trace{r.Facts, r.Entities, query.ScoredSources(read)}
}
