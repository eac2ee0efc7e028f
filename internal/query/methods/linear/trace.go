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

// An Entity is an active entity. Hop is 1 if the question names it.
type Entity struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
	Hop   int     `json:"hop"`
}

// A Sentence is a sentence that an active entity took.
type Sentence struct {
	Key    string  `json:"key"`
	Text   string  `json:"text"`
	Cosine float64 `json:"cosine"` // with the question
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "linear" }

// Print prints what was activated.
func (t Trace) Print(w io.Writer, explain bool) {
	if !explain {
		return
	}
	fmt.Fprintf(w, "\nlinear activated %d entities over %d sentences:\n", len(t.Entities), len(t.Sentences))
	for _, e := range t.Entities[:min(query.PrintedNodes, len(t.Entities))] {
		fmt.Fprintf(w, "    %6.3f  %s, hop %d\n", e.Score, e.Name, e.Hop)
	}
	for _, s := range t.Sentences[:min(query.PrintedNodes, len(t.Sentences))] {
		fmt.Fprintf(w, "    %6.3f  %s\n", s.Cosine, text.OneLine(s.Text))
	}
	query.PrintSources(w, t.Sources, "their share of the walks", 4)
}

func linearTrace(found retrieve.LinearResult, chunks []retrieve.Chunk) Trace {
	t := Trace{
		Entities: make([]Entity, len(found.Entities)), Sentences: make([]Sentence, len(found.Sentences)), Sources: query.ScoredSources(chunks),
	}
	for i, e := range found.Entities {
		t.Entities[i] = Entity(e)
	}
	for i, s := range found.Sentences {
		t.Sentences[i] = Sentence(s)
	}
	return t
}
