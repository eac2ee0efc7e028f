package mini

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
)

// A Trace is what mini searched for, the entities of the graph that the question may mean,
// and the sources, best first.
type Trace struct {
	expand.AnswerType

	Candidates []Candidate          `json:"candidates"`
	Sources    []query.ScoredSource `json:"sources"` // with the sum of the votes of their paths as score
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "mini" }

// Print prints what was searched for and where paths started.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nmini searched for what the question names, by %s: %s; types of the answer: %s\n", t.By, query.ListOrNone(t.Entities), query.ListOrNone(t.Types))
	for _, c := range t.Candidates {
		fmt.Fprintf(w, "    %6.3f  %s: %s, %d paths\n", c.Score, c.Asked, c.Name, c.Paths)
	}
	query.PrintSources(w, t.Sources, "the votes of paths", 3)
}
