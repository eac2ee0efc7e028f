package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// A server that refuses the system role, or roles that do not alternate, gets one message from
// then on.
func TestRefusedRoles(t *testing.T) {
	t.Parallel()
	messages := []llm.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "q"}}
	for _, c := range []struct {
		status  int
		words   string
		learned bool
	}{
		{400, "System role not supported", true},
		{400, "Conversation roles must alternate user/assistant/user/assistant/...", true},
		{500, "Jinja Exception: System role not supported", true},
		{400, "Developer instruction is not enabled for models/gemma", true},
		{400, "the length of messages must be an odd number", true},
		{422, "This model does not support system messages", true},
		{400, "Only user and assistant roles are supported!", true},
		{400, "messages[0]: unsupported role 'system'", true},
		{400, "The first message must be from the user", true},
		{400, "bad content", false},
		{400, "The system is not configured", false},
		{403, "System role not supported", false},
	} {
		s := server(t, llmtest.Options{})
		s.Enqueue(llmtest.Reply{Status: c.status, Message: c.words})
		facts := &known.Server{}
		chat := client(t, openai.Config{BaseURL: s.URL(), Known: facts}).Chat()
		_, err := chat.Chat(t.Context(), llm.Request{Messages: messages})
		if (err == nil) != c.learned || facts.Facts().OneMessage != c.learned {
			t.Errorf("%d %s: %v, %+v", c.status, c.words, err, facts.Facts())
			continue
		}
		if !c.learned {
			continue
		}
		if _, err := chat.Chat(t.Context(), llm.Request{Messages: messages}); err != nil || s.Counts().Requests != 3 {
			t.Errorf("%s: %v after %d requests", c.words, err, s.Counts().Requests)
		}
		want := []llmtest.Message{{Role: "user", Content: "Be brief.\n\nq"}}
		if diff := cmp.Diff(want, s.Requests()[1].Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.words, diff)
		}
	}
}

// The turns of a conversation in one message are labelled.
func TestTurnsInOneMessage(t *testing.T) {
	t.Parallel()
	facts := &known.Server{}
	facts.Learn(func(f *known.Facts) { f.OneMessage = true })
	s := server(t, llmtest.Options{})
	_, err := client(t, openai.Config{BaseURL: s.URL(), Known: facts}).Chat().Chat(t.Context(), llm.Request{Messages: []llm.Message{
		{Role: "system", Content: "s"}, {Role: "user", Content: "one"}, {Role: "assistant", Content: "two"}, {Role: "user", Content: "three"},
	}})
	if got := s.Requests()[0].Last(); err != nil || got != "s\n\nUser:\none\n\nAssistant:\ntwo\n\nUser:\nthree" {
		t.Errorf("sent %q, %v", got, err)
	}
}

// A server that refuses to stream is asked for whole answers from then on, which are delivered
// as the stream would be.
func TestRefusedStream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		raw     string
		learned bool
	}{
		{400, `{"error":{"message":"Streaming is not supported for this model","param":"stream"}}`, true},
		{400, `{"error":{"message":"Your organization must be verified to stream this model. Please go to the settings.","param":"stream","code":"unsupported_value"}}`, true},
		{403, `{"error":"stream is disabled for your account"}`, true},
		{422, `{"detail":[{"loc":["body","stream"],"msg":"stream must be false"}]}`, true},
		{400, `{"error":{"message":"This model does not support streaming"}}`, true},
		{400, `{"error":{"message":"Invalid value","param":"stream"}}`, true},
		{400, `{"error":{"message":"the stream of thoughts is too long"}}`, false},
		{500, `{"error":{"message":"stream is not supported"}}`, false},
	} {
		s := server(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "one two"} }})
		s.Enqueue(llmtest.Reply{Status: c.status, Raw: c.raw})
		facts := &known.Server{}
		chat := client(t, openai.Config{BaseURL: s.URL(), Known: facts}).Chat()
		req := question()
		var shown []string
		req.Stream = func(piece string) { shown = append(shown, piece) }
		res, err := chat.Chat(t.Context(), req)
		if (err == nil) != c.learned || facts.Facts().WholeAnswers != c.learned {
			t.Errorf("%s: %v, %+v", c.raw, err, facts.Facts())
			continue
		}
		if !c.learned {
			continue
		}
		if res.Text != "one two" || strings.Join(shown, "") != "one two" || s.Requests()[1].Stream {
			t.Errorf("%s: %q, shown %q", c.raw, res.Text, shown)
		}
		if _, err := chat.Chat(t.Context(), req); err != nil || s.Counts().Requests != 3 || s.Requests()[2].Stream {
			t.Errorf("%s: %v after %d requests", c.raw, err, s.Counts().Requests)
		}
	}
}
