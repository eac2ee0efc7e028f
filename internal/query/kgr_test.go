package query_test

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
)

// TestKGR checks what kgr finds in both layers: documents that the search finds and those linked to
// them, and entities, relationships and sources of these documents alone.
func TestKGR(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := townWhole.indexed(t, store)
	q := query.Question{Text: "Who talked with Mary Quill about the clock of the church?", Method: "kgr"}
	q.Tuning = map[string]float64{"documents": 1}
	a := ask(t, e, q)
	if a.KGR == nil || len(a.KGR.Entities) == 0 || len(a.KGR.Relationships) == 0 || len(a.KGR.Sources) == 0 || len(a.References) == 0 {
		t.Fatalf("%+v", a.KGR)
	}
	if n := len(a.KGR.Documents); n != 3 || a.KGR.Documents[0].Score != 1 || a.KGR.Documents[1].Score >= 1 || a.KGR.Documents[2].Score <= 0 {
		t.Errorf("the documents are %+v, want one and the two that are most similar to it", a.KGR.Documents)
	}
	if name := a.KGR.Entities[0].Name; !slices.Contains([]string{"Mary Quill", "clock", "church"}, name) {
		t.Errorf("the entity nearest to the question is %s", name)
	}
	for _, list := range [][]query.ScoredSource{a.KGR.Entities, a.KGR.Relationships, a.KGR.Sources} {
		if !slices.IsSortedFunc(list, func(a, b query.ScoredSource) int {
			return int(1e6 * (b.Score - a.Score))
		}) {
			t.Errorf("not best first: %+v", list)
		}
	}
	for _, r := range a.References {
		if !slices.ContainsFunc(a.KGR.Documents, func(d query.ScoredSource) bool { return graph.Local(d.Key) == r.Document }) {
			t.Errorf("the answer refers to %s, which is not one of the documents", r.Document)
		}
	}
}
