package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func testEvidenceLeadsToTheText(t *testing.T, s *Store, corpus string) {
	key := func(local string) string { return graph.Key(corpus, local) }
	chunk := func(e Evidence) Evidence {
		e.Chunk, e.Document, e.DocumentURI = key("c1"), key("docs/a.txt"), "docs/a.txt"
		e.ChunkText, e.End = "Marley was dead: Scrooge knew.", 30
		return e
	}
	inC1 := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: key("c1")}}
	want := []Evidence{
		{Kind: graph.KindReport, Key: key("p1-2"), Title: "Partners", Text: "# Partners [1]", Supports: []graph.Reference{{N: 1, Kind: graph.KindClaim, Key: key("l1")}}},
		chunk(Evidence{Kind: graph.KindClaim, Key: key("l1"), Title: "MARLEY — Scrooge", Text: "Marley is dead.", Quote: "Marley was dead", Supports: inC1}),
		{
			Kind: graph.KindEntity, Key: key("scrooge"), Title: "Scrooge", Text: "A miser.",
			Chunk: key("c2"), Document: key("docs/a.txt"), DocumentURI: "docs/a.txt", Start: 30, End: 51, ChunkText: "Scrooge saw the door.",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: key("c2")}, {N: 2, Kind: graph.KindChunk, Key: key("c1")}},
		},
		chunk(Evidence{Kind: graph.KindRelationship, Key: key("r1"), Title: "Marley — Scrooge", Text: "Partners.", Supports: inC1}),
		chunk(Evidence{Kind: graph.KindChunk, Key: key("c1"), Title: "Christmas", Text: "Marley was dead: Scrooge knew."}),
		{
			Kind: graph.KindPassage, Key: key("p3"), Title: "Ledger", Text: "Cratchit", Chunk: key("c3"), Document: key("docs/b.txt"), DocumentURI: "docs/b.txt",
			End: 34, ChunkText: "Größe: Cratchit kept the ledger.", Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: key("c3")}},
		},
		{Kind: graph.KindDocument, Key: key("docs/b.txt"), Title: "Ledger", Document: key("docs/b.txt"), DocumentURI: "docs/b.txt"},
		{Kind: graph.KindCommunity, Key: key("g1"), Title: "Partners", Text: "Two [1].", Supports: []graph.Reference{{N: 1, Kind: graph.KindReport, Key: key("p1-2")}}},
		{Kind: graph.KindFinding, Key: key("f0"), Title: "First", Text: "Because [2].", Supports: []graph.Reference{{N: 2, Kind: graph.KindEntity, Key: key("scrooge")}}},
		chunk(Evidence{Kind: graph.KindQuery, Key: key("q1"), Title: "Who is dead?", Text: "Marley.", Supports: inC1}),
		{Kind: graph.KindReport, Key: key("p1-2"), Title: "Partners", Text: "# Partners [1]", Supports: []graph.Reference{{N: 1, Kind: graph.KindClaim, Key: key("l1")}}},
	}
	var refs []graph.Reference
	for _, e := range want {
		refs = append(refs, graph.Reference{Kind: e.Kind, Key: e.Key})
	}
	refs = append(refs[:3], append([]graph.Reference{{Kind: graph.KindEntity, Key: key("nobody")}, {Kind: "Nonsense", Key: key("scrooge")}}, refs[3:]...)...)
	got, err := s.Evidence(t.Context(), corpus, refs)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Evidence (-want +got):\n%s", diff)
	}
}

func testEvidenceStaysInItsCorpus(t *testing.T, s *Store, corpus string) {
	got, err := s.Evidence(t.Context(), neo4jtest.Corpus(t), []graph.Reference{{Kind: graph.KindChunk, Key: graph.Key(corpus, "c1")}})
	if err != nil || len(got) != 0 {
		t.Errorf("Evidence of another corpus = %v, %v, want none", got, err)
	}
}
