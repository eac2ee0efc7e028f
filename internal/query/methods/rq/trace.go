package rq

import (
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query/expand"
)

// A Trace is what rq searched for besides the question.
type Trace struct{ expand.Refinement }

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "refinement" }

// Print prints the questions.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nrq searched for the question, and for %d that the model made of it (%s):\n", len(t.Questions), t.Kind)
	for _, question := range t.Questions {
		fmt.Fprintf(w, "    %s\n", question)
	}
}
