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
	all     []Predecessor // by key
	byLabel map[string]int32
	byReads map[string]int32 // of several with the same, the first by key
}

// ByLabel returns the predecessor with a label, the zero value if there is none.
func (p *Predecessors) ByLabel(label string) Predecessor {
	if i, ok := p.byLabel[label]; ok {
		return p.all[i]
	}
	return Predecessor{}
}

// ByReads returns the predecessor whose report was written from the same, of several the
// first by key.
func (p *Predecessors) ByReads(readsFP string) (Predecessor, bool) {
	i, ok := p.byReads[readsFP]
	if !ok {
		return Predecessor{}, false
	}
	return p.all[i], true
}

// Predecessors reads the communities that end with a generation and have a report.
func (s *Store) Predecessors(ctx context.Context, corpus string, generation int64) (*Predecessors, error) {
	out := &Predecessors{byLabel: map[string]int32{}, byReads: map[string]int32{}}
	type labelled struct {
		Predecessor
		label string
	}
	err := eachPaged(ctx, s, cypher.ReadPredecessors, corpus, readPage, map[string]any{"generation": generation}, func(v values) labelled {
		r := v.sub("report")
		return labelled{Predecessor{v.text("key"), v.text("report_fp"), r.text("reads_fp"), r.wholes("records")}, v.text("label")}
	}, func(p labelled) string { return p.Community }, func(p labelled) {
		i := int32(len(out.all)) //nolint:gosec // no graph has as many communities
		out.all = append(out.all, p.Predecessor)
		out.byLabel[p.label] = i
		if _, ok := out.byReads[p.ReadsFP]; !ok && p.ReadsFP != "" {
			out.byReads[p.ReadsFP] = i
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read ending communities of corpus %s: %w", corpus, err)
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
