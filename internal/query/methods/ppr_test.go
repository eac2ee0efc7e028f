package methods_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/ppr"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestPPR checks what walks start from without a model: the relationships that full text finds.
func TestPPR(t *testing.T) {
	t.Parallel()
	store := open(t)
	e := townWhole.indexed(t, store)
	q := query.Question{Text: "With whom did Mary Quill talk about the budget of the town?", Method: "ppr"}
	a := ask(t, e, q)
	if len(traceOf[ppr.Trace](a).Facts) == 0 || len(traceOf[ppr.Trace](a).Facts) > 5 || len(traceOf[ppr.Trace](a).Sources) == 0 || len(a.References) == 0 || len(a.Notes) > 0 {
		t.Fatalf("%+v, notes %q", traceOf[ppr.Trace](a), a.Notes)
	}
	best := traceOf[ppr.Trace](a).Facts[0]
	if !best.Kept || best.Score != 1 || best.Description == "" {
		t.Errorf("the nearest relationship is %+v", best)
	}
	for _, x := range traceOf[ppr.Trace](a).Entities {
		if !slices.ContainsFunc(traceOf[ppr.Trace](a).Facts, func(f ppr.Fact) bool { return f.Source == x.Name || f.Target == x.Name }) {
			t.Errorf("walks start at %+v, which is at no end of %+v", x, traceOf[ppr.Trace](a).Facts)
		}
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
	usual := retrieved(nil)
	if one := retrieved(retrieve.Tuning{"facts": 1}); slices.Equal(usual.Chunks, one.Chunks) {
		t.Error("more relationships change nothing")
	}
	none := retrieved(retrieve.Tuning{"facts": 0})
	if len(none.Chunks) == 0 || len(none.Notes) == 0 || !strings.Contains(none.Notes[0], "No relationship") {
		t.Errorf("without relationships: %d chunks, notes %q", len(none.Chunks), none.Notes)
	}
	q.Tuning = nil
	checkPPRModel(t, store, q, a)
}

// checkPPRModel checks which relationships are used if a model chooses among those of an answer
// without one.
func checkPPRModel(t *testing.T, store *neo4jstore.Store, q query.Question, offline query.Answer) {
	t.Helper()
	s, _ := contractModel(t)
	e, err := query.New(store, query.Options{Corpus: offline.Corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		reply llmtest.Reply
		kept  int
		note  string
	}{
		{name: "the second", reply: llmtest.Reply{Text: `{"facts": [2]}`}, kept: 1},
		{name: "none", reply: llmtest.Reply{Text: `{"facts": []}`}, note: "No relationship"},
		{name: "no answer", reply: llmtest.Reply{Status: http.StatusForbidden, Message: "no"}, kept: len(traceOf[ppr.Trace](offline).Facts), note: "so all were used"},
	} {
		fired := false
		fault := func(r llmtest.Request) *llmtest.Reply {
			if fakemodel.Task(r) != prompts.Facts {
				return nil
			}
			fired = true
			return &tt.reply
		}
		s.fault.Store(&fault)
		a := ask(t, e, q)
		kept := 0
		for _, f := range traceOf[ppr.Trace](a).Facts {
			if f.Kept {
				kept++
			}
		}
		if kept != tt.kept || !fired || !strings.Contains(strings.Join(a.Notes, "\n"), tt.note) || len(traceOf[ppr.Trace](a).Sources) == 0 {
			t.Errorf("%s: %d are used, %d sources, notes %q", tt.name, kept, len(traceOf[ppr.Trace](a).Sources), a.Notes)
		}
	}
}
