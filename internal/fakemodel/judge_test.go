package fakemodel_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/llm/llmtest"
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
