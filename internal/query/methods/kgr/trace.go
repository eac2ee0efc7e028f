package kgr

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
)

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
