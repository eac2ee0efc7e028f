package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
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
	if g, err := s.Generation(t.Context(), corpus); err != nil || g != 2 {
		t.Errorf("Generation = %d, %v, want 2", g, err)
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
