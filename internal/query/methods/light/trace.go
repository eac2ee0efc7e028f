package light

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/keywords"
)

// A Trace is what the method light searched for and found, each kind best first.
type Trace struct {
	Mode          string               `json:"mode" enum:"hybrid,low,high,mix"`
	Keywords      keywords.Keywords    `json:"keywords"`
	Entities      []query.ScoredSource `json:"entities"`
	Relationships []query.ScoredSource `json:"relationships"`
	Neighbours    []query.ScoredSource `json:"neighbours"`
	Chunks        []query.ScoredSource `json:"chunks"` // they mention what was found, or resemble the question
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "light" }

// Print prints the keywords and what they led to.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nlight searched as %s, with keywords by %s.\n", t.Mode, t.Keywords.By)
	fmt.Fprintf(w, "  %-15s %s\n  %-15s %s\n", "low-level", query.ListOrNone(t.Keywords.Low), "high-level", query.ListOrNone(t.Keywords.High))
	for _, kind := range []struct {
		name string
		hits []query.ScoredSource
	}{{"entities", t.Entities}, {"relationships", t.Relationships}, {"neighbours", t.Neighbours}, {"chunks", t.Chunks}} {
		fmt.Fprintf(w, "  %d %s\n", len(kind.hits), kind.name)
		query.PrintScored(w, kind.hits, 3)
	}
}

// add adds what was found.
func (t *Trace) add(found result) {
	entities := func(list []graph.Entity) []query.ScoredSource {
		out := make([]query.ScoredSource, len(list))
		for i, e := range list {
			out[i] = query.ScoredSource{Key: e.Key, Name: e.Name, Score: found.Scores[e.Key]}
		}
		return out
	}
	t.Entities, t.Neighbours = entities(found.Entities), entities(found.Neighbours)
	t.Relationships = make([]query.ScoredSource, len(found.Relationships))
	for i, r := range found.Relationships {
		t.Relationships[i] = query.ScoredSource{Key: r.Key, Name: r.SourceName + " — " + r.TargetName, Score: found.Scores[r.Key]}
	}
	t.Chunks = query.ScoredSources(found.Chunks)
}
