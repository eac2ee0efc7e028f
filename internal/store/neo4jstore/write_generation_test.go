package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// described returns a corpus after description: with edges and without communities.
func described(t *testing.T, texts ...string) (*neo4jstore.Store, string) {
	t.Helper()
	s, corpus := extracted(t, texts...)
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p := pipeline{store: s, writer: writer, corpus: corpus, page: 1000}
		return errors.Join(p.relationships(ctx), p.entities(ctx), p.describeEntities(ctx), p.describeRelationships(ctx))
	})
	return s, corpus
}

// visible returns the visible communities of a generation with their parents and members,
// without the name of the corpus.
func visible(t *testing.T, s *neo4jstore.Store, corpus string, generation int64) []string {
	t.Helper()
	communities, err := s.Communities(t.Context(), corpus, generation, true)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"": ""}
	for _, c := range communities {
		names[c.Key] = c.Label
	}
	var seen []string
	for _, c := range communities {
		seen = append(seen, strings.ReplaceAll(fmt.Sprint(c.Label, "<", names[c.Parent], " ", c.Members), corpus+"/", ""))
	}
	return seen
}

func TestGenerations(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "a b. b c. c d")
	members := func(names ...string) []string {
		var keys []string
		for _, name := range names {
			keys = append(keys, graph.EntityKey(corpus, name))
		}
		return keys
	}
	community := func(level, ordinal int, parent string, names ...string) graph.Community {
		keys := members(names...)
		return graph.Community{
			Key: graph.CommunityKey(corpus, level, keys), Level: level, Ordinal: ordinal, Parent: parent, Members: keys,
			Label: graph.CommunityLabel("C", level, ordinal), Weight: len(keys), Final: level == 1,
		}
	}
	root := community(0, 0, "", "a", "b", "c", "d")
	halves := []graph.Community{root, community(1, 0, root.Key, "a", "b"), community(1, 1, root.Key, "c", "d")}
	uneven := []graph.Community{root, community(1, 0, root.Key, "a"), community(1, 1, root.Key, "b", "c", "d")}
	open := func(all []graph.Community) (next int64, changed int64) {
		t.Helper()
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) (err error) {
			next, err = writer.OpenGeneration(ctx, entities(t, s, corpus), all)
			changed = writer.Counters().Total()
			return err
		})
		return next, changed
	}
	flip := func(next int64) {
		t.Helper()
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			if err := writer.Flip(ctx, next, neo4jstore.Partition{Topology: 1}); err != nil {
				return err
			}
			return errors.Join(writer.Flip(ctx, next, neo4jstore.Partition{Topology: 1}), writer.Sweep(ctx, next)) // a second flip changes nothing
		})
	}
	wantHalves := []string{"C0_0< [a b c d]", "C1_0<C0_0 [a b]", "C1_1<C0_0 [c d]"}
	wantUneven := []string{"C0_0< [a b c d]", "C1_0<C0_0 [a]", "C1_1<C0_0 [b c d]"}
	check := func(generation int64, want []string) {
		t.Helper()
		if diff := cmp.Diff(want, visible(t, s, corpus, generation)); diff != "" {
			t.Errorf("generation %d (-want +got):\n%s", generation, diff)
		}
	}
	if next, _ := open(halves); next != 1 {
		t.Fatalf("first generation %d, want 1", next)
	}
	check(0, nil)
	check(1, wantHalves)
	if n, err := s.Unreported(t.Context(), corpus, 1); err != nil || n != 3 {
		t.Errorf("%d communities without a report, %v, want 3", n, err)
	}
	flip(1)
	if next, changed := open(halves); next != 1 || changed != 0 {
		t.Errorf("the same again: generation %d, %d changes", next, changed)
	}
	// Another hierarchy, then a third before the flip, then the second again.
	for _, all := range [][]graph.Community{uneven, {root}, uneven, uneven} {
		if next, _ := open(all); next != 2 {
			t.Fatalf("second generation %d, want 2", next)
		}
		check(1, wantHalves)
	}
	check(2, wantUneven)
	flip(2)
	check(2, wantUneven)
	counts, err := s.Counts(t.Context(), corpus)
	if err != nil || counts.Communities != 3 {
		t.Errorf("counts %+v, %v", counts, err)
	}
	if n := number(t, "MATCH (:Entity {corpus: $c})-[m:IN_COMMUNITY]->() RETURN count(m)", map[string]any{"c": corpus}); n != 8 {
		t.Errorf("%d members, want 8: the sweep must delete the others", n)
	}
	heavier := slices.Clone(uneven)
	heavier[1].Weight = 9
	if next, changed := open(heavier); next != 2 || changed == 0 {
		t.Errorf("another weight: generation %d, %d changes, want the visible one with the weight written", next, changed)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := writer.Flip(ctx, 5, neo4jstore.Partition{Topology: 1}); err == nil {
			t.Error("a flip skipped a generation")
		}
		return nil
	})
}

// TestMembersByIDAndKey opens a generation with internal ids that other nodes have, as after
// a node was deleted and its id used again, and with entities that are not known. Neither may
// make the wrong node a member.
func TestMembersByIDAndKey(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "a b. b c")
	known := entities(t, s, corpus)
	all := []graph.Community{{Key: graph.CommunityKey(corpus, 0, known.Keys), Label: "C0_0", Members: known.Keys, Weight: 3, Final: true}}
	for name, wrong := range map[string]neo4jstore.Entities{
		"ids of other nodes": {Keys: known.Keys, IDs: append(slices.Clone(known.IDs[1:]), known.IDs[0])},
		"the last id only":   {Keys: known.Keys, IDs: append(slices.Clone(known.IDs[:len(known.IDs)-1]), known.IDs[0])},
		"no entity":          {},
	} {
		withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if _, err := w.OpenGeneration(ctx, wrong, all); !errors.Is(err, neo4jstore.ErrMissingEnd) {
				t.Errorf("%s: %v, want ErrMissingEnd", name, err)
			}
			return nil
		})
		if n := number(t, "MATCH ({corpus: $c})-[m:IN_COMMUNITY]->() RETURN count(m)", map[string]any{"c": corpus}); n != 0 {
			t.Errorf("%s: %d members", name, n)
		}
	}
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		_, err := w.OpenGeneration(ctx, known, all)
		return err
	})
	if n := number(t, "MATCH (:Entity {corpus: $c})-[m:IN_COMMUNITY]->() RETURN count(m)", map[string]any{"c": corpus}); n != 3 {
		t.Errorf("%d members, want 3", n)
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "Ann Bob. Bob Cid. Cid Dan. !Ann Bob", "Dan Ann")
	var p pipeline
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p = pipeline{store: s, writer: writer, corpus: corpus, page: 1000}
		return p.cluster(ctx)
	})
	leaves, err := s.PendingReports(t.Context(), corpus, 1, 1, "", 10)
	if err != nil || len(leaves) != 2 {
		t.Fatalf("communities to report: %+v, %v", leaves, err)
	}
	if more, err := s.PendingReports(t.Context(), corpus, 1, 1, leaves[0].Key, 10); err != nil || len(more) != 1 || more[0].Key != leaves[1].Key {
		t.Errorf("communities after the first: %+v, %v", more, err)
	}
	contexts, err := collect(s.ReportReader(corpus, 1).Contexts(t.Context(), leaves))
	if err != nil || len(contexts[0].Community.Members) != 2 {
		t.Fatalf("contexts: %+v, %v", contexts, err)
	}
	names := map[string]string{}
	for _, c := range contexts {
		var inside []string
		for _, e := range c.Entities {
			inside = append(inside, e.Name)
		}
		for _, r := range c.Relationships {
			inside = append(inside, r.SourceName+"-"+r.TargetName)
		}
		for _, k := range c.Claims {
			inside = append(inside, k.ClaimRecord.Subject+">"+k.ClaimRecord.Object)
		}
		names[c.Community.Label] = strings.Join(inside, " ")
	}
	if diff := cmp.Diff(map[string]string{"C1_0": "Ann Bob Ann-Bob Ann>Bob", "C1_1": "Cid Dan Cid-Dan"}, names); diff != "" {
		t.Errorf("inside (-want +got):\n%s", diff)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p.writer = writer
		if err := writer.WriteReports(ctx, 2, []neo4jstore.ReportWrite{report(&contexts[0])}); err == nil {
			t.Error("a report for the generation after the next was written")
		}
		bad := report(&contexts[0])
		bad.Report.References[0].Key = graph.Key(corpus, "nobody")
		if err := writer.WriteReports(ctx, 1, []neo4jstore.ReportWrite{bad}); !errors.Is(err, neo4jstore.ErrMissingEnd) {
			t.Errorf("a report that cites a missing node: %v, want ErrMissingEnd", err)
		}
		return p.reports(ctx)
	})
	rows := query(t, `MATCH (k:Community {corpus: $c})-[:HAS_REPORT]->(r:Report)
		RETURN k.label AS label, [l IN labels(r) | l] AS labels, COUNT { (r)-[:HAS_FINDING]->() } AS findings,
		COLLECT { MATCH (r)-[c:CITES]->(x) RETURN labels(x)[0] + c.n ORDER BY c.n } AS cites,
		COLLECT { MATCH (r)-[:HAS_FINDING]->(f)-[c:CITES]->() RETURN f.order + ':' + c.n ORDER BY f.order, c.n } AS found ORDER BY label`, map[string]any{"c": corpus})
	labels := []any{"Report", "Report_" + corpus}
	want := []map[string]any{
		{"label": "C0_0", "labels": labels, "findings": int64(2), "cites": []any{"Entity1", "Relationship2", "Claim3", "Report4", "Report5"}, "found": []any{"0:1", "1:1", "1:2"}},
		{"label": "C1_0", "labels": labels, "findings": int64(2), "cites": []any{"Entity1", "Relationship2", "Claim3"}, "found": []any{"0:1", "1:1", "1:2"}},
		{"label": "C1_1", "labels": labels, "findings": int64(2), "cites": []any{"Entity1", "Relationship2"}, "found": []any{"0:1", "1:1", "1:2"}},
	}
	for _, row := range want {
		row["labels"] = []any{"Report", "Report_" + corpus}
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
	root, err := s.Communities(t.Context(), corpus, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	contexts, err = collect(s.ReportReader(corpus, 1).Contexts(t.Context(), root[:1]))
	if err != nil || len(contexts[0].Children) != 2 || contexts[0].ReportFP == "" {
		t.Fatalf("context of the root: %+v, %v", contexts, err)
	}
	child := contexts[0].Children[0]
	if len(child.Members) != 2 || len(child.Report.Findings) != 2 || len(child.Report.References) < 2 || child.Report.References[0].N != 1 {
		t.Errorf("a child's report: %+v", child)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		p.writer = writer
		return p.flip(ctx)
	})

	// A report is rewritten: readers see the old one until the flip, the parent is marked,
	// and citations of the old one are redirected to the new one.
	again := report(&contexts[0])
	again.Community, again.Unchanged, again.ReportFP, again.Report.Title = leaves[0].Key, false, "new", "Another title"
	again.Report.Level, again.Report.Final, again.Report.References = 1, true, again.Report.References[:1]
	other := again
	other.Community, other.Report.Title = leaves[1].Key, "A third title"
	titles := func(generation int64) []string {
		view, err := s.ReportsOfView(t.Context(), corpus, generation, 1)
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, r := range view {
			titles = append(titles, r.Title)
		}
		return titles
	}
	before := titles(1)
	for range 2 { // the second replaces the first
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteReports(ctx, 2, []neo4jstore.ReportWrite{again, other})
		})
	}
	if diff := cmp.Diff(before, titles(1)); diff != "" {
		t.Errorf("the visible generation changed (-want +got):\n%s", diff)
	}
	if got := titles(2); !slices.Contains(got, "Another title") || len(got) != len(before) {
		t.Errorf("titles of the next generation %v", got)
	}
	if pending, err := s.Pending(t.Context(), corpus); err != nil || pending["report"] != 1 {
		t.Errorf("pending %v, %v: want the parent", pending, err)
	}
	// The sweep takes several transactions.
	withWriter(t, s.WithPages(1), corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		unchanged := neo4jstore.ReportWrite{Community: root[0].Key, Unchanged: true}
		return errors.Join(writer.WriteReports(ctx, 2, []neo4jstore.ReportWrite{unchanged}), writer.Flip(ctx, 2, neo4jstore.Partition{Topology: 4}), writer.Sweep(ctx, 2))
	})
	got := query(t, `MATCH (:Community {key: $root})-[:HAS_REPORT]->(:Report)-[c:CITES]->(r:Report)<-[:HAS_REPORT]-(k)
		RETURN r.title AS title, k.label AS label ORDER BY label`, map[string]any{"root": root[0].Key})
	cited := map[any]any{}
	for _, row := range got {
		cited[row["label"]] = row["title"]
	}
	if diff := cmp.Diff(map[any]any{leaves[0].Label: "Another title", leaves[1].Label: "A third title"}, cited); diff != "" || len(got) != 2 {
		t.Errorf("the root cites %v (-want +got):\n%s", got, diff)
	}
	if n := number(t, "MATCH (f:Finding) WHERE f.key STARTS WITH $c RETURN count(f)", map[string]any{"c": corpus + "/"}); n != 6 {
		t.Errorf("%d findings, want two per report", n)
	}
}
