package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func testFind(t *testing.T, s *Store, corpus string) {
	tests := []struct {
		kind graph.Kind
		name string
		want []string
	}{
		{graph.KindEntity, corpus + "/scrooge", []string{"scrooge"}},
		{graph.KindEntity, "SCROOGE", []string{"scrooge"}},
		{graph.KindEntity, "the door", []string{"door"}},
		{graph.KindEntity, " Bob/Cratchit ", []string{"bob/cratchit"}},
		{graph.KindEntity, "scroog", nil},
		{graph.KindDocument, "docs/a.txt", []string{"docs/a.txt"}},
		{graph.KindDocument, "LEDGER", []string{"docs/b.txt"}},
		{graph.KindReport, "partners", []string{"p1-2"}},
		{graph.KindReport, "old partners", nil},
		{graph.KindReport, "p1-2", []string{"p1-2"}},
		{graph.KindCommunity, "c1_0", []string{"g1"}},
		{graph.KindCommunity, "A counting house", []string{"g0"}},
		{graph.KindRelationship, "Scrooge — Marley", []string{"r1"}},
		{graph.KindRelationship, "marley — scrooge", []string{"r1"}},
		{graph.KindRelationship, "r2", []string{"r2"}},
		{graph.KindRelationship, "Scrooge", nil},
		{graph.KindClaim, "l1", []string{"l1"}},
		{graph.KindChunk, corpus + "/c2", []string{"c2"}},
	}
	for _, test := range tests {
		refs, err := s.Find(t.Context(), corpus, test.kind, test.name, 5)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range refs {
			got = append(got, graph.Local(r.Key))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Find %s %q (-want +got):\n%s", test.kind, test.name, diff)
		}
	}
	if _, err := s.Find(t.Context(), corpus, graph.KindPassage, "p1", 5); err == nil {
		t.Error("a passage was found")
	}
}
