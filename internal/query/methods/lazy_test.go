package methods_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/lazy"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestLazy asks a model about the relevance of chunks within a budget, in a corpus without
// reports.
func TestLazy(t *testing.T) {
	t.Parallel()
	store := open(t)
	o := contractOptions(neo4jtest.Borrow(t, "artifacts"))
	o.WithoutReports = true
	offline := indexed(t, store, o, minutes(t))
	s, _ := contractModel(t)
	e, err := query.New(store, query.Options{Corpus: o.Corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}})
	if err != nil {
		t.Fatal(err)
	}
	q := query.Question{Text: "What did the Harbour Museum decide about its budget?", Method: "lazy"}
	for _, budget := range []int{0, 7} {
		q.SetOwn("lazy", lazy.Settings{Budget: budget})
		s.Reset()
		a := ask(t, e, q)
		tests := 0
		for _, r := range s.Requests() {
			if fakemodel.Task(r) == prompts.Relevance {
				tests++
			}
		}
		if tests != 2*traceOf[lazy.Trace](a).Tests || tests == 0 || budget > 0 && traceOf[lazy.Trace](a).Tests > budget { // ask asks twice
			t.Fatalf("budget %d: %d calls, %+v", budget, tests, traceOf[lazy.Trace](a))
		}
		sum := traceOf[lazy.Trace](a).Neighbours
		for i, k := range traceOf[lazy.Trace](a).Communities {
			sum.Tests, sum.Relevant = sum.Tests+k.Tests, sum.Relevant+k.Relevant
			if scope := k.Level < 0; scope != (i == 0) || scope != (k.Key == "") || !scope && k.Label == "" {
				t.Errorf("community %d is %+v", i, k)
			}
		}
		if sum.Tests != traceOf[lazy.Trace](a).Tests || sum.Relevant != len(traceOf[lazy.Trace](a).Sources) || sum.Relevant == 0 || len(a.References) == 0 {
			t.Errorf("budget %d: %+v in all, %+v", budget, sum, traceOf[lazy.Trace](a))
		}
	}
	q.Own = nil
	if a := ask(t, offline, q); len(traceOf[lazy.Trace](a).Sources) == 0 || len(a.References) == 0 || len(a.Notes) > 0 {
		t.Errorf("without a model: %+v, notes %q", traceOf[lazy.Trace](a), a.Notes)
	}
	checkLazyFaults(t, s, e, q)
}

// checkLazyFaults checks what becomes of tests that fail.
func checkLazyFaults(t *testing.T, s *contractServer, e *query.Engine, q query.Question) {
	t.Helper()
	fired := 0
	failing := func(from int) {
		fired = 0
		seen := 0
		fault := func(r llmtest.Request) *llmtest.Reply {
			if fakemodel.Task(r) != prompts.Relevance {
				return nil
			}
			if seen++; seen < from {
				return nil
			}
			fired++
			return &llmtest.Reply{Status: http.StatusForbidden, Message: "no more"}
		}
		s.Reset()
		s.fault.Store(&fault)
	}
	failing(1)
	if _, err := e.Ask(t.Context(), q); err == nil || !strings.Contains(err.Error(), "no more") || fired != 5 {
		t.Errorf("every test fails: %v after %d", err, fired)
	}
	failing(4)
	a, err := e.Ask(t.Context(), q)
	if err != nil || fired == 0 || !slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "judged by the search") }) || len(a.References) == 0 {
		t.Errorf("some tests fail, %d of them: %v, notes %q", fired, err, a.Notes)
	}
}
