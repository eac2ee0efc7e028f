// Package fused answers from the best chunks by everything that the index holds of them.
package fused

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.RegisterRanked(query.Method{
	Name:    "fused",
	Summary: "the best chunks by everything that the index holds of them: questions for a fact",
	Profile: query.Profile{
		Reads: "chunks ranked by full text, feedback, entities, facts, the graph and vectors",
		Use:   "questions for a fact",
		Uses:  []query.Artifact{query.Vectors},
		Calls: "1",
		Cost:  query.CostOf(1, 1, 7193, 7764, 79, 223),
	},
	Traces:   []query.Trace{Trace{}},
	Scoped:   true,
	Unpinned: true,
	Tuning:   TuningNames(),
	Paths:    Paths,
}, rankChunks)

func rankChunks(ctx context.Context, r query.Request) (retrieve.Ranking, func([]retrieve.Chunk) query.Trace, error) {
	found, err := Search(ctx, r)
	return found.Ranking, found.trace, err
}

// A Trace is what the paths of fused give to each source, best first.
type Trace struct {
	Sources []Source `json:"sources"`
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "fused" }

// Print prints what each path gave to each source.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nfused compared %d sources; each score is relative to the best, and a sum of what paths add:\n", len(t.Sources))
	for _, s := range t.Sources[:min(query.PrintedNodes, len(t.Sources))] {
		var paths []string
		for _, path := range slices.Sorted(maps.Keys(s.Paths)) {
			paths = append(paths, fmt.Sprintf("%s %.2f", path, s.Paths[path]))
		}
		fmt.Fprintf(w, "    %6.3f  %s: %s\n", s.Score, s.Name, strings.Join(paths, ", "))
	}
}

// trace names the sources.
func (r Result) trace(read []retrieve.Chunk) query.Trace {
	names := map[string]string{}
	for _, c := range read {
		names[c.Key] = query.SourceName(c.Title(), c.Index)
	}
	t := Trace{Sources: append([]Source{}, r.Sources...)}
	for i := range t.Sources {
		t.Sources[i].Name = names[t.Sources[i].Key]
	}
	return t
}
