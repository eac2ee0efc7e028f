package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
)

// A Predecessor is a community that ends with a generation and has a report.
type Predecessor struct {
	Community string // its key
	ReportFP  string
	ReadsFP   string
	Records   []int64 // of the context of the report, if they were kept
}

type labelledPredecessor struct {
	Predecessor

	label string
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
	err := pageSpec[labelledPredecessor]{
		statement: readPredecessors, corpus: corpus, params: map[string]any{"generation": generation},
		key: func(p labelledPredecessor) string { return p.Community },
	}.pass(ctx, s, func(p labelledPredecessor) {
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
	found, err := rowsAs(ctx, s, readReportToCarry, corpus, params, func(row reportToCarryRow) CarriedReport {
		c := row.Report
		c.Community, c.Findings, c.References, c.Children = row.Community, row.Findings, row.References, map[string]string{}
		if row.TodoEmbed {
			c.EmbedFP, c.Vector = "", nil
		}
		for _, child := range row.Children {
			c.Children[child.Report] = child.Label
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
