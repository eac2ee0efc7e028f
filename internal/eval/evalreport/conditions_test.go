package evalreport_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// TestConditionsAreNotMixed expects that of conditions with the same name the last one is shown, or
// each with what distinguishes it, and that a corpus is no older state of another one.
func TestConditionsAreNotMixed(t *testing.T) {
	t.Parallel()
	base := evalrun.Condition{Method: "basic", Corpus: "letters", State: "1", Model: "m", Prompts: "p", Version: "v"}
	w := newWriter(t)
	q := w.question(evalrun.Question{ID: "1", Text: "Who?"})
	for i, change := range []func(*evalrun.Condition){
		func(*evalrun.Condition) {},
		func(c *evalrun.Condition) { c.Corpus = "minutes" },
		func(c *evalrun.Condition) { c.State = "2" },
		func(c *evalrun.Condition) { c.Model = "n" },
		func(c *evalrun.Condition) { c.Version = "w" },
		func(c *evalrun.Condition) { c.Method, c.Label = "local", "SS" },
		func(c *evalrun.Condition) { c.Method, c.Label = "global", "SS" },
	} {
		c := base
		change(&c)
		w.answer(w.condition(c), q, 1000*(i+1))
	}
	f := w.open()
	for _, want := range []struct {
		all    bool
		names  []string
		tokens []float64
	}{
		{false, []string{"basic (corpus letters)", "basic (corpus minutes)", "SS (corpus letters)"}, []float64{5000, 2000, 7000}},
		{true, []string{
			"basic (corpus letters, state 1, model m, version v)", "basic (corpus letters, state 2, model m, version v)",
			"basic (corpus letters, state 1, model n, version v)", "basic (corpus letters, state 1, model m, version w)",
			"basic (corpus minutes)", "SS (corpus letters, local)", "SS (corpus letters, global)",
		}, []float64{1000, 3000, 4000, 5000, 2000, 6000, 7000}},
	} {
		r, err := evalreport.Make(f, evalreport.Options{All: want.all})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var tokens []float64
		for _, c := range r.Costs {
			names, tokens = append(names, c.Condition), append(tokens, c.ContextTokens)
		}
		if diff := cmp.Diff(want.names, names); diff != "" {
			t.Errorf("all %v (-want +got):\n%s", want.all, diff)
		}
		if diff := cmp.Diff(want.tokens, tokens); diff != "" {
			t.Errorf("all %v, tokens (-want +got):\n%s", want.all, diff)
		}
	}
}
