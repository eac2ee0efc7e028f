package linear

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/text"
)

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
