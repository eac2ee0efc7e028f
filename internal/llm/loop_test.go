package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// TestLoopsEndTheCall ends a streamed call after a few copies of a passage, and delivers one
// copy as the text of a cut answer, streamed or not.
func TestLoopsEndTheCall(t *testing.T) {
	t.Parallel()
	const passage = "Ingrid Solberg was the keeper of the lighthouse [1.5]. "
	for name, tt := range map[string]struct{ stream, cut bool }{"whole": {false, false}, "whole, cut": {false, true}, "streamed": {true, false}, "streamed, cut": {true, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			half := false
			reply := llmtest.Reply{Text: "In short: " + strings.Repeat(passage, 4000), Half: func() { half = true }}
			if tt.cut {
				reply.Finish = "length"
			} else {
				reply.Finish = "stop"
			}
			s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return reply }})
			client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			req := ask("q")
			var streamed strings.Builder
			if tt.stream {
				req.Stream = func(delta string) { streamed.WriteString(delta) }
			}
			res, err := llm.New(llm.Config{Provider: client.Chat()}).Chat(context.Background(), req)
			s.Close() // the handler has ended
			cut, ok := errors.AsType[*llm.AnswerError](err)
			if !ok || !errors.Is(err, llm.ErrTruncated) || !errors.Is(err, llm.ErrLoop) || !strings.Contains(err.Error(), "repeats itself") {
				t.Fatalf("Chat: %v, want a cut answer that loops", err)
			}
			if want := "In short: " + strings.TrimSpace(passage); strings.TrimSpace(cut.Text) != want {
				t.Errorf("Chat: text %q, want %q", cut.Text, want)
			}
			if res.Usage.Calls != 1 || s.Counts().Chats != 1 {
				t.Errorf("%d calls, %+v, want one", s.Counts().Chats, res.Usage)
			}
			if tt.stream && (half || streamed.Len() > 20*len(passage)) {
				t.Errorf("%d bytes were streamed, half of the answer: %v; want the call to end after a few copies", streamed.Len(), half)
			}
		})
	}
}

// TestCancelledCallIsNoLoop returns the end of the context of a call that was cancelled.
func TestCancelledCallIsNoLoop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: strings.Repeat("the same words again and again, ", 40_000)}
	}})
	t.Cleanup(s.Close)
	client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	req := ask("q")
	req.Stream = func(string) { cancel() }
	if _, err := llm.New(llm.Config{Provider: client.Chat()}).Chat(ctx, req); !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrLoop) {
		t.Errorf("Chat: %v, want the end of the context", err)
	}
}
