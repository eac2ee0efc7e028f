package neo4jstore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func (p pipeline) cluster(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Topology == c.Clustered {
		return err
	}
	a, err := p.store.Adjacency(ctx, p.corpus, "count")
	if err != nil {
		return err
	}
	_, err = p.writer.OpenGeneration(ctx, a.Entities, hierarchy(p.corpus, a))
	return err
}

// A joint is an edge with the positions of its ends.
type joint struct{ Source, Target, Weight int }

// joints returns the edges by source, then target.
func joints(a neo4jstore.Adjacency) []joint {
	var all []joint
	for u := range uint32(a.Graph.Nodes()) {
		for v, w := range a.Graph.Neighbors(u) {
			if u < v {
				all = append(all, joint{int(u), int(v), int(w)})
			}
		}
	}
	return all
}

// hierarchy returns the connected components as level 0, and splits those with at least
// four members in halves as level 1.
func hierarchy(corpus string, a neo4jstore.Adjacency) []graph.Community {
	edges, component := joints(a), make([]int, len(a.Keys))
	for i := range component {
		component[i] = i
	}
	for range a.Keys {
		for _, e := range edges {
			least := min(component[e.Source], component[e.Target])
			component[e.Source], component[e.Target] = least, least
		}
	}
	members := map[int][]string{}
	for i, key := range a.Keys {
		members[component[i]] = append(members[component[i]], key)
	}
	position := map[string]int{}
	for i, key := range a.Keys {
		position[key] = i
	}
	community := func(level, ordinal int, parent string, keys []string) graph.Community {
		c := graph.Community{
			Key: graph.CommunityKey(corpus, level, keys), Level: level, Ordinal: ordinal, Parent: parent, Members: keys,
			Label: graph.CommunityLabel("C", level, ordinal), Final: level == 1 || len(keys) < 4,
		}
		for _, e := range edges {
			if slices.Contains(keys, a.Keys[e.Source]) && slices.Contains(keys, a.Keys[e.Target]) {
				c.Weight += e.Weight
			}
		}
		return c
	}
	var all []graph.Community
	ordinal := 0
	for _, root := range slices.Sorted(maps.Keys(members)) {
		keys := members[root]
		c := community(0, len(all)-ordinal, "", keys)
		all = append(all, c)
		if half := len(keys) / 2; half >= 2 {
			all = append(all, community(1, ordinal, c.Key, keys[:half]), community(1, ordinal+1, c.Key, keys[half:]))
			ordinal += 2
		}
	}
	return all
}

func (p pipeline) reports(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil {
		return err
	}
	next := c.Generation + 1
	for _, level := range []int{1, 0} {
		err := paged(func(after string) ([]graph.Community, error) {
			return p.store.PendingReports(ctx, p.corpus, next, level, after, 2)
		}, func(c graph.Community) string { return c.Key }, func(page []graph.Community) error {
			contexts, err := collect(p.store.ReportReader(p.corpus, next).Contexts(ctx, page))
			if err != nil {
				return err
			}
			var rows []neo4jstore.ReportWrite
			for i := range contexts {
				rows = append(rows, report(&contexts[i]))
			}
			return p.writer.WriteReports(ctx, next, rows)
		})
		if err != nil {
			return err
		}
	}
	return p.embedKinds(ctx, graph.KindReport)
}

// report lists everything in the community and cites the first of each kind.
func report(c *neo4jstore.ReportContext) neo4jstore.ReportWrite {
	w := neo4jstore.ReportWrite{Community: c.Community.Key, Report: graph.Report{
		Level: c.Community.Level, Final: c.Community.Final, Size: len(c.Community.Members), Weight: c.Community.Weight, Rating: 5, Model: "test",
	}}
	cite := func(kind graph.Kind, key string) {
		w.Report.References = append(w.Report.References, graph.Reference{N: len(w.Report.References) + 1, Kind: kind, Key: key})
	}
	var lines []string
	for i, e := range c.Entities {
		lines = append(lines, e.Name+": "+e.Description)
		if i == 0 {
			cite(graph.KindEntity, e.Key)
		}
	}
	for i, r := range c.Relationships {
		lines = append(lines, fmt.Sprint(r.SourceName, " ", r.TargetName, " ", r.Weight, r.Description))
		if i == 0 {
			cite(graph.KindRelationship, r.Key)
		}
	}
	for _, k := range c.Claims {
		lines = append(lines, k.Description)
		cite(graph.KindClaim, k.Key)
	}
	for _, child := range c.Children {
		// By content: an unchanged report does not change those above it.
		lines = append(lines, child.Report.FullContent, strconv.Itoa(len(child.Members)))
		cite(graph.KindReport, child.Report.Key)
	}
	w.ReportFP = fingerprint([]any{lines, w.Report.Weight, w.Report.Final})
	w.Unchanged = w.ReportFP == c.ReportFP && !c.Report.CitesEnded
	w.Report.Title, w.Report.FullContent = "Report on "+c.Entities[0].Name, strings.Join(lines, "\n")+" [1]"
	w.Report.Summary, w.Terms = "Summary [1]", w.Report.Title
	w.Report.Findings = []graph.Finding{{Summary: "One", Explanation: "As said [1]."}, {Summary: "Two", Explanation: "And [1, 2] say."}}
	return w
}

func (p pipeline) flip(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Next <= c.Generation {
		return err
	}
	if n, err := p.store.Unreported(ctx, p.corpus, c.Next); err != nil || n > 0 {
		return fmt.Errorf("%d communities without a report: %w", n, err)
	}
	return p.writer.Flip(ctx, c.Next, neo4jstore.Partition{Topology: c.Topology})
}

func (p pipeline) labels(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Labelled == c.Generation {
		return err
	}
	communities, err := p.store.Communities(ctx, p.corpus, c.Generation, true)
	if err != nil {
		return err
	}
	labels := map[string]*neo4jstore.EntityLabels{}
	for after := ""; ; {
		page, err := p.store.LabelledEntities(ctx, p.corpus, after, p.page)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			labels[e.Key] = &neo4jstore.EntityLabels{Key: e.Key}
			after = e.Key
		}
	}
	for _, c := range communities {
		for _, key := range c.Members {
			if labels[key] == nil {
				labels[key] = &neo4jstore.EntityLabels{Key: key}
			}
			e := labels[key]
			e.Labels, e.Communities = append(e.Labels, c.Label), append(e.Communities, int64(c.Ordinal))
			if c.Level == 0 {
				e.Community = c.Label
			}
		}
	}
	var rows []neo4jstore.EntityLabels
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		rows = append(rows, *labels[key])
	}
	if err := p.writer.WriteLabels(ctx, rows); err != nil {
		return err
	}
	return p.writer.RecordLabelled(ctx, c.Generation)
}

func (p pipeline) sweep(ctx context.Context) error {
	c, err := p.store.Corpus(ctx, p.corpus)
	if err != nil || c.Swept == c.Generation {
		return err
	}
	return p.writer.Sweep(ctx, c.Generation)
}

// dump returns the canonical dump of a corpus.
func dump(tb testing.TB, s *neo4jstore.Store, corpus string) []string {
	tb.Helper()
	var lines []string
	err := s.Dump(tb.Context(), corpus, "", func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return lines
}
