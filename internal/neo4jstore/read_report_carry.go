package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A Predecessor is a community that ends with a generation and has a report.
type Predecessor struct {
	Community string // its key
	ReportFP  string
	ReadsFP   string
	Records   []int64 // of the context of the report, if they were kept
}

// Predecessors are the communities that end with a generation and have a report.
type Predecessors struct {
	ByLabel map[string]Predecessor
	// ByReads are the same by what their reports were written from. Of several with the same
	// it has the first by key.
	ByReads map[string]Predecessor
}

// Predecessors reads the communities that end with a generation and have a report.
func (s *Store) Predecessors(ctx context.Context, corpus string, generation int64) (Predecessors, error) {
	type labelled struct {
		Predecessor
		label string
	}
	all, err := pagedRows(ctx, s, cypher.ReadPredecessors, corpus, map[string]any{"generation": generation}, func(v values) labelled {
		return labelled{Predecessor{v.text("key"), v.text("report_fp"), v.sub("report").text("reads_fp"), v.sub("report").wholes("records")}, v.text("label")}
	}, func(p labelled) string { return p.Community })
	if err != nil {
		return Predecessors{}, fmt.Errorf("read ending communities of corpus %s: %w", corpus, err)
	}
	out := Predecessors{ByLabel: make(map[string]Predecessor, len(all)), ByReads: make(map[string]Predecessor, len(all))}
	for _, p := range all {
		out.ByLabel[p.label] = p.Predecessor
		if _, ok := out.ByReads[p.ReadsFP]; !ok && p.ReadsFP != "" {
			out.ByReads[p.ReadsFP] = p.Predecessor
		}
	}
	return out, nil
}

// A CarriedReport is a report with everything that is stored with it.
type CarriedReport struct {
	graph.Report

	Terms, EmbedFP string
	Vector         []float32 // none if it has yet to be embedded
	Records        []int64
	Children       map[string]string // labels of the communities whose reports it cites, by the key of the report
}

// ReportToCarry reads the latest report of a community, which may end with the
// generation. ok is false if there is none.
func (s *Store) ReportToCarry(ctx context.Context, corpus, community string, generation int64) (r CarriedReport, ok bool, err error) {
	params := map[string]any{"key": community, "generation": generation}
	found, err := rows(ctx, s, cypher.ReadReportToCarry, corpus, params, func(v values) CarriedReport {
		r := v.sub("report")
		c := CarriedReport{Report: reportRow(v).Report, Terms: r.text("terms"), Records: r.wholes("records"), Children: map[string]string{}}
		if !v.flag("todo_embed") {
			c.EmbedFP, c.Vector = r.text("embed_fp"), r.vector("embedding")
		}
		for _, child := range v.maps("children") {
			c.Children[child.text("report")] = child.text("label")
		}
		return c
	})
	if err != nil {
		return CarriedReport{}, false, fmt.Errorf("read the report of community %s: %w", community, err)
	}
	if len(found) == 0 {
		return CarriedReport{}, false, nil
	}
	return found[0], true, nil
}
