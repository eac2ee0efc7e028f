package neo4jstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A ChildReport is the report of a child community, with the label and the members of
// the child.
type ChildReport struct {
	Label   string
	Report  graph.Report
	Members []string
}

// childPage is how many reports of children one transaction reads.
const childPage = 2000

// fillChildren adds the reports of children to the contexts of communities, in the order
// of the keys of the children.
func (s *Store) fillChildren(ctx context.Context, corpus string, params map[string]any, place map[string]*ReportContext) error {
	var found []values
	err := eachPaged(ctx, s, cypher.ReadReportChildren, corpus, childPage, params, func(v values) values { return v },
		func(v values) string { return v.text("child") }, func(v values) { found = append(found, v) })
	if err != nil {
		return err
	}
	children := make([]graph.Community, len(found))
	for i, v := range found {
		children[i].Key = v.text("child")
	}
	if err := s.fillMembers(ctx, corpus, children); err != nil {
		return err
	}
	for i, v := range found {
		child, of := childOf(v), place[v.text("community")]
		child.Members = children[i].Members
		of.Children = append(of.Children, child)
	}
	return nil
}

// childOf returns the report of a child, without the members of the child.
func childOf(v values) ChildReport {
	r := v.sub("report")
	child := ChildReport{Label: v.text("label"), Report: graph.Report{
		Key: r.text("key"), Community: v.text("child"), Level: r.int("level"), Final: r.flag("final"), Size: r.int("size"),
		Weight: r.int("weight"), Title: r.text("title"), Summary: r.text("summary"), FullContent: r.text("full_content"),
		Rating: r.real("rating"), RatingExplanation: r.text("rating_explanation"), References: v.citations("references"),
		Model: r.text("model"), NTokens: r.int("n_tokens"),
	}}
	findings := v.maps("findings")
	slices.SortFunc(findings, func(a, b values) int { return cmp.Compare(a.int("order"), b.int("order")) })
	for _, f := range findings {
		child.Report.Findings = append(child.Report.Findings, graph.Finding{Summary: f.text("summary"), Explanation: f.text("explanation")})
	}
	return child
}
