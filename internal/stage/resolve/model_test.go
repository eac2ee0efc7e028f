package resolve_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/text/tokens"
)

func TestModelDescribes(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(r.Messages[1].Content, "\nSilence\n") {
			return llmtest.Reply{Text: " \n"}
		}
		if !strings.Contains(r.Last(), "\nThird\n") {
			return llmtest.Reply{Status: 400, Message: "no descriptions"}
		}
		return llmtest.Reply{Text: " All in one. "}
	}})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	offline := resolve.Describer{Options: resolve.Options{MaxFragments: 2}, Counter: counter}
	m := &resolve.Model{Describer: offline, Chat: llm.New(llm.Config{Provider: client.Chat()})}
	if m.Fingerprint() == offline.Fingerprint() {
		t.Error("with a model the fingerprint is the same as without")
	}
	for _, tt := range []struct {
		fragments []string
		want      string
		calls     int
	}{
		{nil, "", 0},
		{[]string{"First"}, "First", 0},
		{[]string{"First", "Second."}, "First. Second.", 0},
		{[]string{"First", "Second", "Third"}, "All in one.", 1},
	} {
		got, err := m.Describe(t.Context(), "X", tt.fragments)
		if err != nil || got != tt.want || server.Counts().Chats != tt.calls {
			t.Errorf("%q: got %q, %v after %d calls, want %q after %d", tt.fragments, got, err, server.Counts().Chats, tt.want, tt.calls)
		}
	}
	if _, err := m.Describe(t.Context(), "X", []string{"a", "b", "c"}); err == nil {
		t.Error("the server refuses the request: got no error")
	}
	if got, err := m.Describe(t.Context(), "X", []string{"First", "Second", "Silence"}); !errors.Is(err, llm.ErrInvalid) {
		t.Errorf("an empty answer: got %q, %v", got, err)
	}
	client, err = openai.New(openai.Config{BaseURL: server.URL(), Model: "m", Params: map[string]any{"temperature": 0.7}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if hot := (&resolve.Model{Describer: offline, Chat: llm.New(llm.Config{Provider: client.Chat()})}); hot.Fingerprint() == m.Fingerprint() {
		t.Error("another temperature: the fingerprint is the same")
	}
}

// TestSummariesFitTheContext sends as many descriptions as the model can read.
func TestSummariesFitTheContext(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Context: 2048, Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "All in one."} }})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m", Context: 2048})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	m := &resolve.Model{Describer: resolve.Describer{Counter: counter}, Chat: llm.New(llm.Config{Provider: client.Chat()})}
	fragments := make([]string, 40)
	for i := range fragments {
		fragments[i] = strings.Repeat("The keeper of the lighthouse writes down the weather. ", 10)
	}
	if got, err := m.Describe(t.Context(), "X", fragments); err != nil || got != "All in one." || server.Counts().Chats != 1 {
		t.Errorf("got %q, %v after %d calls", got, err, server.Counts().Chats)
	}
	if n := strings.Count(server.Requests()[0].Last(), "The keeper"); n < 50 || n >= 400 {
		t.Errorf("%d of 400 sentences were sent, want a part of them", n)
	}
}
