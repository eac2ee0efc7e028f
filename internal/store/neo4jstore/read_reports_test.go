package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func testReportsOfAView(t *testing.T, s *Store, corpus string) {
	key := func(local string) string { return graph.Key(corpus, local) }
	tests := []struct {
		name       string
		generation int64
		level      int
		want       []string
	}{
		{"the root level", 2, 0, []string{"p0-2"}},
		{"the level below", 2, 1, []string{"p1-2"}},
		{"deeper than the deepest", 2, 7, []string{"p1-2"}},
		{"an older generation", 1, 1, []string{"p1-1"}},
		{"the one being written", 3, 1, []string{"p1-2", "pnew-3"}},
		{"before the first", 0, 1, []string{}},
	}
	for _, test := range tests {
		reports, err := s.ReportsOfView(t.Context(), corpus, test.generation, test.level)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, r := range reports {
			got = append(got, graph.Local(r.Key))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	reports, err := s.ReportsOfView(t.Context(), corpus, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := ReportRow{
		Report: graph.Report{
			Key: key("p0-2"), Community: key("g0"), Size: 3, Weight: 3, Title: "A counting house", Summary: "All [1].",
			FullContent: "# A counting house [1] [2]", Rating: 6.5, RatingExplanation: "Much.", Model: "offline", NTokens: 8,
			Findings: []graph.Finding{{Summary: "First", Explanation: "Because [2]."}, {Summary: "Second", Explanation: "So."}},
			References: []graph.Reference{
				{N: 1, Kind: graph.KindReport, Key: key("p1-2")}, {N: 2, Kind: graph.KindEntity, Key: key("scrooge")}, {N: 3, Kind: graph.KindChunk, Key: key("c1")},
			},
		},
		Community: graph.Community{Key: key("g0"), Label: "C0_0", Weight: 3},
	}
	if diff := cmp.Diff([]ReportRow{want}, reports); diff != "" {
		t.Errorf("root report (-want +got):\n%s", diff)
	}
	testReportsByCommunity(t, s, corpus)
	if g, err := s.Generation(t.Context(), corpus); err != nil || g != 2 {
		t.Errorf("Generation = %d, %v, want 2", g, err)
	}
}

// testReportsByCommunity reads the reports of the hierarchy and their sizes.
func testReportsByCommunity(t *testing.T, s *Store, corpus string) {
	t.Helper()
	names := func(rows []ReportRow, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out := []string{}
		for _, r := range rows {
			out = append(out, graph.Local(r.Key))
		}
		return out
	}
	roots, err := s.ReportsOfView(t.Context(), corpus, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	brief, err := s.ReportTextsOfView(t.Context(), corpus, 2, 0)
	if len(brief) != 1 || err != nil {
		t.Fatalf("%d reports, %v", len(brief), err)
	}
	whole := roots[0].Report
	want := graph.Report{
		Key: whole.Key, Community: whole.Community, Level: whole.Level, Final: whole.Final, Size: whole.Size,
		Title: whole.Title, FullContent: whole.FullContent, NTokens: whole.NTokens,
	}
	if diff := cmp.Diff(want, brief[0].Report); diff != "" || want.FullContent == "" {
		t.Errorf("texts of the view (-want +got):\n%s", diff)
	}
	root := roots[0].Community.Key
	below, err := s.ReportsBelow(t.Context(), corpus, 2, []string{root})
	if diff := cmp.Diff([]string{"p1-2"}, names(below, err)); diff != "" || below[0].Community.Parent != root {
		t.Errorf("below %s, of parent %q (-want +got):\n%s", root, below[0].Community.Parent, diff)
	}
	of, err := s.ReportsOf(t.Context(), corpus, 2, []string{below[0].Community.Key, root, graph.Key(corpus, "nothing")})
	if diff := cmp.Diff([]string{"p0-2", "p1-2"}, names(of, err)); diff != "" {
		t.Errorf("of both (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(roots[0], of[0]); diff != "" {
		t.Errorf("report of a view and of a community (-view +community):\n%s", diff)
	}
	if diff := cmp.Diff([]string{}, names(s.ReportsBelow(t.Context(), corpus, 2, []string{below[0].Community.Key}))); diff != "" {
		t.Errorf("below a leaf (-want +got):\n%s", diff)
	}
	for level, want := range map[int]ReportRow{0: brief[0], 1: below[0]} {
		closest, view, err := s.ClosestReports(t.Context(), corpus, 2, level, map[string]float64{want.Key: 1}, 1)
		if len(closest) != 1 || closest[0].Key != want.Key || view.Count < 1 || view.Tokens < want.NTokens || err != nil {
			t.Errorf("closest of level %d: %+v of %+v, %v", level, closest, view, err)
		}
	}
	sizes, err := s.ReportSizes(t.Context(), corpus, 2)
	wantSizes := []ReportSize{{Level: 0, Count: 1, Tokens: roots[0].NTokens}, {Level: 1, Final: below[0].Final, Count: 1, Tokens: below[0].NTokens}}
	if diff := cmp.Diff(wantSizes, sizes); diff != "" || err != nil {
		t.Errorf("sizes: %v (-want +got):\n%s", err, diff)
	}
	count, tokens, err := s.ChunkSize(t.Context(), corpus)
	if page, pageErr := s.ChunkRowPage(t.Context(), corpus, "", 1000); err != nil || pageErr != nil || count != len(page) || tokens == 0 {
		t.Errorf("%d chunks of %d tokens, %v; a page holds %d, %v", count, tokens, err, len(page), pageErr)
	}
	const ofRecords = "MATCH (n:Entity|Relationship|Claim) WHERE n.key STARTS WITH $corpus + '/' RETURN sum(n.n_tokens) AS tokens"
	records := neo4jtest.Query(t, ofRecords, map[string]any{"corpus": corpus})[0]["tokens"]
	if got, err := s.RecordTokens(t.Context(), corpus); err != nil || int64(got) != records || got == 0 {
		t.Errorf("tokens of records: got %d, %v, want %v", got, err, records)
	}
}

func testReportList(t *testing.T, s *Store, corpus string) {
	var got []string
	for after := graph.Key(corpus, ""); ; {
		page, err := s.ReportList(t.Context(), corpus, 2, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		r := page[0]
		if r.Title == "" || r.Community.Label == "" || r.FullContent != "" || len(page) > 1 {
			t.Errorf("a page of one: %+v", page)
		}
		got = append(got, graph.Local(r.Key))
		after = r.Key
	}
	if diff := cmp.Diff([]string{"p0-2", "p1-2"}, got); diff != "" {
		t.Errorf("reports in the list (-want +got):\n%s", diff)
	}
	texts, err := s.ReportTexts(t.Context(), corpus, []string{graph.Key(corpus, "p1-2"), graph.Key(corpus, "p0-2"), graph.Key(corpus, "none"), "other/p0-2"})
	if err != nil || len(texts) != 2 || graph.Local(texts[0].Key) != "p0-2" || texts[0].FullContent == "" || len(texts[0].Findings) != 2 || len(texts[0].References) != 3 {
		t.Errorf("texts: %+v, %v", texts, err)
	}
}
