package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// TestLoopsEndTheCall ends a call after a few copies of a passage, and returns one copy as the text
// of a cut answer. A server of an unknown kind sends answers whole, unless they are streamed to the caller.
func TestLoopsEndTheCall(t *testing.T) {
	t.Parallel()
	const passage = "Ingrid Solberg was the keeper of the lighthouse [1.5]. "
	many := strings.Repeat(passage, 4000)
	records := `{"people":[` + strings.Repeat(`{"name":"Ingrid Solberg"},`, 8000)
	schema := &llm.Schema{Name: "people", JSON: json.RawMessage(`{"type":"object"}`)}
	for _, tt := range []struct {
		name        string
		known, show bool
		schema      *llm.Schema
		reply       llmtest.Reply
		want        string // the text that is left
		calls       int64
	}{
		{name: "whole", reply: llmtest.Reply{Text: "In short: " + many, Finish: "stop"}, want: "In short: " + passage, calls: 1},
		{name: "whole, cut", reply: llmtest.Reply{Text: "In short: " + many, Finish: "length"}, want: "In short: " + passage, calls: 1},
		{name: "shown", show: true, reply: llmtest.Reply{Text: "In short: " + many, Finish: "stop"}, want: "In short: " + passage, calls: 1},
		{name: "shown, cut", known: true, show: true, reply: llmtest.Reply{Text: "In short: " + many, Finish: "length"}, want: "In short: " + passage, calls: 1},
		{name: "not shown", known: true, reply: llmtest.Reply{Text: "In short: " + many, Finish: "stop"}, want: "In short: " + passage, calls: 1},
		{name: "JSON", known: true, schema: schema, reply: llmtest.Reply{Text: records, Finish: "length"}, want: `{"people":[{"name":"Ingrid Solberg"},`, calls: 1},
		{name: "reasoning", known: true, reply: llmtest.Reply{Reasoning: "Well. " + many, Text: "The keeper. ", Finish: "length"}, calls: 1},
		{name: "reasoning in the text", known: true, reply: llmtest.Reply{Text: "<think>Well. " + many + "</think>", Finish: "length"}, calls: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.reply.Half = func(ctx context.Context) { <-ctx.Done() } // no more comes until the call ends
			options := llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return tt.reply }}
			if tt.known {
				options.Owner = "llamacpp"
			}
			s := llmtest.New(options)
			client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m", Timeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			req := question()
			req.Schema = tt.schema
			var shown strings.Builder
			if tt.show {
				req.Stream = func(delta string) { shown.WriteString(delta) }
			}
			res, err := llm.New(llm.Config{Provider: client.Chat()}).Chat(context.Background(), req)
			s.Close() // the handler has ended
			cut, ok := errors.AsType[*llm.AnswerError](err)
			if !ok || !errors.Is(err, llm.ErrTruncated) || !errors.Is(err, llm.ErrLoop) || !strings.Contains(err.Error(), "repeats itself") {
				t.Fatalf("Chat: %v, want a cut answer that loops", err)
			}
			if strings.TrimSpace(cut.Text) != strings.TrimSpace(tt.want) {
				t.Errorf("Chat: text %q, want %q", cut.Text, tt.want)
			}
			if res.Usage.Calls != tt.calls || int64(s.Counts().Chats) != tt.calls || res.Usage.TokensOut == 0 {
				t.Errorf("%d calls, %+v, want %d", s.Counts().Chats, res.Usage, tt.calls)
			}
			if shown.Len() > 20*len(passage) {
				t.Errorf("%d bytes were shown, want a few copies", shown.Len())
			}
		})
	}
}

// TestCancelledCallIsNoLoop returns the end of the context of a call that was cancelled.
func TestCancelledCallIsNoLoop(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "One word. " + strings.Repeat("the same words again and again, ", 40_000)}
	}})
	t.Cleanup(s.Close)
	client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	req := question()
	req.Stream = func(string) { cancel() }
	if _, err := llm.New(llm.Config{Provider: client.Chat()}).Chat(ctx, req); !errors.Is(err, context.Canceled) || errors.Is(err, llm.ErrLoop) {
		t.Errorf("Chat: %v, want the end of the context", err)
	}
}
