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

// A Fact is a relationship that was found. Its score is relative to the best.
type Fact struct {
	Key         string  `json:"key"`
	Source      string  `json:"source"`
	Target      string  `json:"target"`
	Description string  `json:"description"`
	Score       float64 `json:"score"`
	Kept        bool    `json:"kept"` // walks start at its ends
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
func (t Trace) Print(w io.Writer, explain bool) {
	if !explain {
		return
	}
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

func pprTrace(found retrieve.PPRResult, chunks []retrieve.Chunk) Trace {
	t := Trace{Facts: make([]Fact, len(found.Facts)), Entities: make([]Entity, len(found.Entities)), Sources: query.ScoredSources(chunks)}
	for i, f := range found.Facts {
		t.Facts[i] = Fact(f)
	}
	for i, e := range found.Entities {
		t.Entities[i] = Entity{Key: e.Key, Name: found.Names[e.Key], Weight: e.Score}
	}
	return t
}
