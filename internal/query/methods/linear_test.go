package methods_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/linear"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// TestLinear checks how activation is passed on from the entity that a question names.
func TestLinear(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := townWhole.indexed(t, store)
	q := query.Question{Text: "With whom did Mary Quill talk about the budget of the town?", Method: "linear"}
	a := ask(t, e, q)
	if len(traceOf[linear.Trace](a).Entities) < 2 || len(traceOf[linear.Trace](a).Sentences) == 0 || len(a.References) == 0 || len(a.Notes) > 0 {
		t.Fatalf("%+v, notes %q", traceOf[linear.Trace](a), a.Notes)
	}
	if first := traceOf[linear.Trace](a).Entities[0]; first.Name != "Mary Quill" || first.Hop != 1 || first.Score != 1 {
		t.Errorf("the first entity is %+v", first)
	}
	reached := slices.IndexFunc(traceOf[linear.Trace](a).Entities, func(e linear.Entity) bool { return e.Hop == 2 })
	if reached < 0 {
		t.Fatalf("no sentence led to another entity: %+v", traceOf[linear.Trace](a))
	}
	if next := traceOf[linear.Trace](a).Entities[reached]; next.Score >= 1 || !slices.ContainsFunc(traceOf[linear.Trace](a).Sentences, func(s linear.Sentence) bool {
		return s.Cosine == next.Score && strings.Contains(s.Text, "Mary Quill") && strings.Contains(s.Text, next.Name)
	}) {
		t.Errorf("%+v is named by no sentence of Mary Quill: %+v", next, traceOf[linear.Trace](a).Sentences)
	}
	retrieved := func(tuning retrieve.Tuning) retrieve.Ranking {
		t.Helper()
		q.Tuning = tuning
		found, err := e.Retrieve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	usual, alone := retrieved(nil), retrieved(retrieve.Tuning{"rounds": 0})
	if slices.Equal(usual.Chunks, alone.Chunks) {
		t.Error("what sentences lead to changes nothing")
	}
	if none := retrieved(retrieve.Tuning{"least": 2}); !slices.Equal(none.Chunks, alone.Chunks) {
		t.Error("activation below the least is passed on")
	}
	if a := ask(t, e, query.Question{Text: "what is new?", Method: "linear"}); len(a.Notes) == 0 || !strings.Contains(a.Notes[0], "names no entity") {
		t.Errorf("a question without names: notes %q", a.Notes)
	}
}
