package lazy

import (
	"cmp"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/query"
)

// A Trace is what lazy tested: the whole scope, communities in the order of their tests,
// and the neighbours of relevant chunks; and the sources that are relevant, most similar first.
type Trace struct {
	Budget      int                  `json:"budget"` // most tests
	Tests       int                  `json:"tests"`  // chunks that were tested
	Communities []Community          `json:"communities"`
	Neighbours  Counts               `json:"neighbours"`
	Sources     []query.ScoredSource `json:"sources"` // with their similarity as score
}

// Counts are tests of chunks, and how many of these are relevant.
type Counts struct {
	Tests    int `json:"tests"`
	Relevant int `json:"relevant"` // of the chunks that were tested
}

// A Community is a community that was tested. Key and label are empty, and the level is -1,
// for the whole scope.
type Community struct {
	Counts

	Key   string `json:"key"`
	Label string `json:"label"` // such as C1_3
	Level int    `json:"level"`
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "lazy" }

// Print prints what was tested.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nlazy tested %d chunks of at most %d:\n", t.Tests, t.Budget)
	for _, k := range t.Communities {
		fmt.Fprintf(w, "    %-10s %d of %d relevant\n", cmp.Or(k.Label, k.Key, "all chunks"), k.Relevant, k.Tests)
	}
	fmt.Fprintf(w, "    %-10s %d of %d relevant\n", "neighbours", t.Neighbours.Relevant, t.Neighbours.Tests)
	query.PrintSources(w, t.Sources, "their similarity", 3)
}
