package methods_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/mini"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestMini checks what mini searches for and starts from, without a model and with one.
func TestMini(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := townWhole.indexed(t, store)
	q := query.Question{Text: "Who talked with Mary Quill about the clock of the church?", Method: "mini"}
	a := ask(t, e, q)
	if traceOf[mini.Trace](a).By != "rules" || !slices.Contains(traceOf[mini.Trace](a).Entities, "Mary Quill") || !slices.Contains(traceOf[mini.Trace](a).Types, "person") || len(traceOf[mini.Trace](a).Sources) == 0 || len(a.References) == 0 || len(a.Notes) > 0 {
		t.Fatalf("%+v, notes %q", traceOf[mini.Trace](a), a.Notes)
	}
	first := func(a query.Answer) mini.Candidate {
		at := slices.IndexFunc(traceOf[mini.Trace](a).Candidates, func(c mini.Candidate) bool { return c.Asked == "Mary Quill" })
		if at < 0 {
			t.Fatalf("no candidate for Mary Quill: %+v", traceOf[mini.Trace](a))
		}
		return traceOf[mini.Trace](a).Candidates[at]
	}
	if c := first(a); c.Name != "Mary Quill" || c.Score < .99 || c.Paths == 0 {
		t.Errorf("the best candidate is %+v", c)
	}
	nobody := ask(t, e, query.Question{Text: "budget ferry price?", Method: "mini"})
	if len(nobody.References) == 0 || len(traceOf[mini.Trace](nobody).Candidates) == 0 && !strings.Contains(strings.Join(nobody.Notes, " "), "names no entity") {
		t.Errorf("a question without names: %+v, notes %q", traceOf[mini.Trace](nobody), nobody.Notes)
	}

	s, _ := contractModel(t)
	with, err := query.New(store, query.Options{Corpus: a.Corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}})
	if err != nil {
		t.Fatal(err)
	}
	b := ask(t, with, q)
	if diff := cmp.Diff([]string{"Mary Quill"}, traceOf[mini.Trace](b).Entities); diff != "" || traceOf[mini.Trace](b).By != "model" || len(traceOf[mini.Trace](b).Types) != 1 || first(b).Paths == 0 {
		t.Errorf("with a model: %+v\n%s", traceOf[mini.Trace](b), diff)
	}
	fired := false
	fault := func(r llmtest.Request) *llmtest.Reply {
		if fakemodel.Task(r) != prompts.AnswerTypes {
			return nil
		}
		fired = true
		return &llmtest.Reply{Status: http.StatusForbidden, Message: "no"}
	}
	s.fault.Store(&fault)
	if c := ask(t, with, q); !fired || traceOf[mini.Trace](c).By != "rules" || !strings.Contains(strings.Join(c.Notes, " "), "so rules did") {
		t.Errorf("without an answer: %+v, notes %q", traceOf[mini.Trace](c), c.Notes)
	}
}
