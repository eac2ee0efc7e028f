package methods_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/hyde"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestDriftPassages checks that drift chooses its first reports by a passage that the model
// writes, where a model embeds, and by the question alone if the model writes none.
func TestDriftPassages(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "model")
	s, embedder := contractModel(t)
	indexed(t, store, index.Options{Corpus: corpus, Embedder: embedder}, townDocuments(t))
	model := &synth.Model{Map: s.chat, Answer: s.chat}
	q := query.Question{Text: "What did Edith Farrow say about the budget?", Method: "drift"}
	asked := func() (n int) {
		for _, r := range s.Requests() {
			if fakemodel.Task(r) == prompts.HyDE {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		name     string
		embeds   bool
		fails    bool
		calls    int
		passages int
		noted    bool
	}{
		{name: "with vectors", embeds: true, calls: 1, passages: 1},
		{name: "the model refuses", embeds: true, fails: true, calls: 1, noted: true},
		{name: "without vectors"},
	} {
		s.Reset()
		fault := func(r llmtest.Request) *llmtest.Reply {
			if tt.fails && fakemodel.Task(r) == prompts.HyDE {
				return &llmtest.Reply{Status: http.StatusForbidden, Message: "no"}
			}
			return nil
		}
		s.fault.Store(&fault)
		o := query.Options{Corpus: corpus, Model: model}
		if tt.embeds {
			o.Embedder = embedder
		}
		e, err := query.New(store, o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := e.Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "wrote no passage") })
		if asked() != tt.calls || len(traceOf[hyde.Passages](a)) != tt.passages || noted != tt.noted || len(a.References) == 0 {
			t.Errorf("%s: %d calls, passages %q, notes %q, %d references", tt.name, asked(), traceOf[hyde.Passages](a), a.Notes, len(a.References))
		}
	}
}
