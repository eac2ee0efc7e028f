package methods_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// writing are the prompts of calls that write an answer or notes for it.
var writing = []string{prompts.Answer, prompts.Local, prompts.Map, prompts.Reduce}

// checkContext compares the context of a method with what a model was shown to answer: the same
// blocks with the same numbers, without a call that writes.
func checkContext(t *testing.T, c *contract, m query.Method) {
	s, e := c.withModel(t)
	for _, text := range []string{"What did Edith Farrow say about the budget?", "Was sagte Mary Quill?", "What are the main themes?"} {
		q := query.Question{Text: text, Method: m.Name}
		s.Reset()
		got, err := e.Context(t.Context(), q)
		if m.Rounds {
			if !errors.Is(err, query.ErrNoContext) || !strings.Contains(err.Error(), m.Name) {
				t.Errorf("%q: %v, want a refusal that names the method", text, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.Requests() {
			if !r.Embeds() && slices.Contains(writing, fakemodel.Task(r)) {
				t.Errorf("%q: the context was asked for by a call of %s", text, fakemodel.Task(r))
			}
		}
		checkBlocks(t, text, got)
		s.Reset()
		if _, err := e.Ask(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, r := range s.Requests() {
			if !r.Embeds() && slices.Contains(writing, fakemodel.Task(r)) && fakemodel.Task(r) != prompts.Reduce {
				shown = append(shown, fakemodel.Material(r))
			}
		}
		if len(shown) == 0 && got.Text == "" {
			continue
		}
		if len(shown) != 1 {
			t.Errorf("%q: %d calls read sources, want one", text, len(shown))
		} else if diff := cmp.Diff(shown[0], got.Text); diff != "" {
			t.Errorf("%q: the context is not what the model was shown (-model +context):\n%s", text, diff)
		}
	}
	checkSmallContext(t, m, e)
}

// checkBlocks checks that each block is in the text under its number, and that sources lead to their
// documents.
func checkBlocks(t *testing.T, question string, c query.Context) {
	t.Helper()
	last := map[graph.Kind]int{}
	for _, b := range c.Blocks {
		if last[b.Kind]++; b.N != last[b.Kind] {
			t.Errorf("%q: %s %q has the number %d, want %d", question, b.Kind, b.Title, b.N, last[b.Kind])
		}
		if b.Key == "" || b.Text == "" || b.Tokens <= 0 {
			t.Errorf("%q: %+v has no key, text or tokens", question, b)
		}
		if source := b.Kind == graph.KindChunk; source != (b.Document != "") || source && b.End-b.Start < len(b.Text) {
			t.Errorf("%q: %s %q is said to be in %q, bytes %d to %d", question, b.Kind, b.Title, b.Document, b.Start, b.End)
		}
	}
	if c.Usage.ContextItems != len(c.Blocks) || (c.Text == "") != (len(c.Blocks) == 0) {
		t.Errorf("%q: %d blocks, usage %+v, text %q", question, len(c.Blocks), c.Usage, c.Text)
	}
}

// checkSmallContext checks that a context keeps within the tokens that are asked for.
func checkSmallContext(t *testing.T, m query.Method, e *query.Engine) {
	if m.Rounds {
		return
	}
	const tokens = 150
	c, err := e.Context(t.Context(), query.Question{Text: "What did Edith Farrow say about the budget?", Method: m.Name, ReduceTokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	if c.Usage.ContextTokens > tokens {
		t.Errorf("%d tokens, want at most %d", c.Usage.ContextTokens, tokens)
	}
}
