package ppr

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

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
