package llm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// A structured answer that is wrapped in something is unwrapped without another call.
func TestWrappedAnswers(t *testing.T) {
	t.Parallel()
	const plain = `{"entities":[{"name":"A"}],"relationships":[]}`
	double := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	schema := &llm.Schema{Name: "s", JSON: []byte(`{"type":"object","required":["entities","relationships"],"properties":{"entities":{},"relationships":{}}}`)}
	optional := &llm.Schema{Name: "s", JSON: []byte(`{"type":"object","properties":{"entities":{},"relationships":{}}}`)}
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		want  string // "" if the model is asked again
	}{
		{"plain", llmtest.Reply{Text: plain}, plain},
		{"a list", llmtest.Reply{Text: "[" + plain + "]"}, plain},
		{"a key", llmtest.Reply{Text: `{"result":` + plain + `}`}, plain},
		{"a key of another name", llmtest.Reply{Text: `{"Output":` + plain + `,"confidence":0.9}`}, plain},
		{"two keys", llmtest.Reply{Text: `{"data":{"result":` + plain + `}}`}, plain},
		{"a list under a key", llmtest.Reply{Text: `{"items":[` + plain + `]}`}, plain},
		{"a string", llmtest.Reply{Text: double(plain)}, plain},
		{"a string in a fence", llmtest.Reply{Text: "```json\n" + double(plain) + "\n```"}, plain},
		{"a string twice", llmtest.Reply{Text: double(`{"result":` + double(plain) + `}`)}, plain},
		{"a string under a key", llmtest.Reply{Text: `{"result":` + double(plain) + `}`}, plain},
		{"a fence after prose", llmtest.Reply{Text: "Here is it:\n```json\n[" + plain + "]\n```\nHope this helps!"}, plain},
		{"keys in capitals", llmtest.Reply{Text: `{"Entities":[],"Relationships":[]}`}, `{"Entities":[],"Relationships":[]}`},
		{"reasoning only", llmtest.Reply{Reasoning: plain}, plain},
		{"reasoning that ends with it", llmtest.Reply{Reasoning: "A draft: {\"entities\":[]}. Now:\n```json\n" + plain + "\n```"}, plain},
		{"arguments of a function", llmtest.Reply{Raw: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":` + double(plain) + `}}]},"finish_reason":"tool_calls"}]}`}, plain},
		{"reasoning with a draft", llmtest.Reply{Reasoning: plain + " would be an answer, but I am not sure."}, ""},
		{"two objects in a list", llmtest.Reply{Text: "[" + plain + `,` + plain + "]"}, ""},
		{"two that fit", llmtest.Reply{Text: `{"first":` + plain + `,"second":` + plain + `}`}, ""},
		{"a key of the schema", llmtest.Reply{Text: `{"entities":` + plain + `}`}, ""},
		{"another object", llmtest.Reply{Text: `{"result":{"name":"A"}}`}, ""},
	} {
		s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: `{"entities":[],"relationships":[]}`} }}, llm.Config{})
		s.Enqueue(c.reply)
		req := ask("q")
		req.Schema = schema
		res := mustAsk(t, chat, req)
		if again := s.Counts().Requests == 2; again != (c.want == "") || !again && res.Text != c.want {
			t.Errorf("%s: %q after %d requests", c.name, res.Text, s.Counts().Requests)
		}
	}
	for text, want := range map[string]string{`{"result":` + plain + `}`: plain, `{"other":{"a":1}}`: `{"other":{"a":1}}`, `{}`: `{}`} {
		s, chat := chain(t, llmtest.Options{}, llm.Config{})
		s.Enqueue(llmtest.Reply{Text: text})
		req := ask("q")
		req.Schema = optional
		if res := mustAsk(t, chat, req); res.Text != want || s.Counts().Requests != 1 {
			t.Errorf("%s becomes %q after %d requests", text, res.Text, s.Counts().Requests)
		}
	}
}

// An answer in text that is all reasoning is not shown.
func TestOnlyReasoning(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"a field":              {Reasoning: "The user asks.", TokensOut: 5},
		"a block":              {Text: "<thought>The user asks."},
		"content that is null": {Raw: `{"choices":[{"message":{"content":null,"reasoning":"The user asks."},"finish_reason":"stop"}]}`},
	} {
		s, chat := chain(t, llmtest.Options{}, llm.Config{})
		s.Enqueue(reply, reply)
		req := ask("q")
		shown := ""
		req.Stream = func(piece string) { shown += piece }
		var invalid *llm.AnswerError
		if res, err := chat.Chat(t.Context(), req); !errors.As(err, &invalid) || invalid.Text != "" || shown != "" || s.Counts().Requests != 2 {
			t.Errorf("%s: %+v, shown %q, %v", name, res, shown, err)
		}
	}
}
