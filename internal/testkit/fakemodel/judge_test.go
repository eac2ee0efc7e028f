package fakemodel_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestCorrectness expects the simulated judge to tell right answers from wrong ones.
func TestCorrectness(t *testing.T) {
	t.Parallel()
	p, err := prompts.Set{}.Get(prompts.AnswerCorrect)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"Clara Hale built the bridge in 1921.": `"correct":1`,
		"Tobias Reed built the bridge.":        `"correct":0`,
		"":                                     `"correct":0`,
	} {
		system, user := p.Render(prompts.Values{"question": "Who built the bridge?", "known_answer": "Clara Hale", "text": given})
		var r llmtest.Request
		r.Messages = append(r.Messages, llmtest.Message{Role: "system", Content: system}, llmtest.Message{Role: "user", Content: user})
		if got := fakemodel.Handler(r).Text; !strings.Contains(strings.ReplaceAll(got, ": ", ":"), want) {
			t.Errorf("%q: %s, want %s", given, got, want)
		}
	}
}

// TestCheckedQuotes: both simulated models judge each numbered quote of a statement, and no other.
func TestCheckedQuotes(t *testing.T) {
	t.Parallel()
	p, err := prompts.Set{}.Get(prompts.CheckQuotes)
	if err != nil {
		t.Fatal(err)
	}
	system, user := p.Render(prompts.Values{"text": "Statement: Clara Hale built a bridge.\nQuote 1: Clara Hale had built the bridge.\nQuote 2: It rained.\nQuote without a number: A bridge.\n\nStatement: Tobias Reed came.\nQuote 3: Tobias was there."})
	var r llmtest.Request
	r.Messages = append(r.Messages, llmtest.Message{Role: "system", Content: system}, llmtest.Message{Role: "user", Content: user})
	const want = `{"quotes":[{"quote":"1","supports":"all"},{"quote":"2","supports":"nothing"},{"quote":"3","supports":"part"}]}`
	for name, model := range map[string]func(llmtest.Request) llmtest.Reply{"Handler": fakemodel.Handler, "Literal": fakemodel.Literal} {
		if got := model(r).Text; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
