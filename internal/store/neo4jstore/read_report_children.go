package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// A ChildReport is the report of a child community, with the label and the members of
// the child.
type ChildReport struct {
	Label   string
	Report  graph.Report
	Members []string
}

// An orderedFinding is a finding with its place in its report.
type orderedFinding struct {
	graph.Finding

	Order int
}

// childPage is how many reports of children one transaction reads.
const childPage = 2000

// fillChildren adds the reports of children to the contexts of communities, in the order
// of the keys of the children.
func (s *Store) fillChildren(ctx context.Context, corpus string, params map[string]any, place map[string]*ReportContext) error {
	found, err := pageSpec[reportChildrenRow]{
		statement: readReportChildren, corpus: corpus, params: params, limit: childPage, key: func(row reportChildrenRow) string { return row.Child },
	}.all(ctx, s)
	if err != nil {
		return err
	}
	children := make([]graph.Community, len(found))
	for i, row := range found {
		children[i].Key = row.Child
	}
	if err := s.fillMembers(ctx, corpus, children); err != nil {
		return err
	}
	for i, row := range found {
		child, of := row.report(), place[row.Community]
		child.Members = children[i].Members
		of.Children = append(of.Children, child)
	}
	return nil
}

// report returns the report of the child, without the members of the child.
func (r *reportChildrenRow) report() ChildReport {
	child := ChildReport{Label: r.Label, Report: r.Report}
	child.Report.Community, child.Report.References = r.Child, r.References
	slices.SortFunc(r.Findings, func(a, b orderedFinding) int { return cmp.Compare(a.Order, b.Order) })
	for _, f := range r.Findings {
		child.Report.Findings = append(child.Report.Findings, f.Finding)
	}
	return child
}
