package methods_test

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/kgr"
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
	if len(traceOf[kgr.Trace](a).Entities) == 0 || len(traceOf[kgr.Trace](a).Relationships) == 0 || len(traceOf[kgr.Trace](a).Sources) == 0 || len(a.References) == 0 {
		t.Fatalf("%+v", traceOf[kgr.Trace](a))
	}
	if n := len(traceOf[kgr.Trace](a).Documents); n != 3 || traceOf[kgr.Trace](a).Documents[0].Score != 1 || traceOf[kgr.Trace](a).Documents[1].Score >= 1 || traceOf[kgr.Trace](a).Documents[2].Score <= 0 {
		t.Errorf("the documents are %+v, want one and the two that are most similar to it", traceOf[kgr.Trace](a).Documents)
	}
	if name := traceOf[kgr.Trace](a).Entities[0].Name; !slices.Contains([]string{"Mary Quill", "clock", "church"}, name) {
		t.Errorf("the entity nearest to the question is %s", name)
	}
	for _, list := range [][]query.ScoredSource{traceOf[kgr.Trace](a).Entities, traceOf[kgr.Trace](a).Relationships, traceOf[kgr.Trace](a).Sources} {
		if !slices.IsSortedFunc(list, func(a, b query.ScoredSource) int {
			return int(1e6 * (b.Score - a.Score))
		}) {
			t.Errorf("not best first: %+v", list)
		}
	}
	for _, r := range a.References {
		if !slices.ContainsFunc(traceOf[kgr.Trace](a).Documents, func(d query.ScoredSource) bool { return graph.Local(d.Key) == r.Document }) {
			t.Errorf("the answer refers to %s, which is not one of the documents", r.Document)
		}
	}
}
