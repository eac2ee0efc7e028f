package llm_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

var fact = &llm.Schema{Name: "fact", JSON: []byte(`{"type":"object", "required":["fact"], "properties":{"fact":{"type":"string"}}}`)}

func askFact(text string) llm.Request {
	req := ask(text)
	req.Schema = fact
	return req
}

// formats returns the formats that were requested, in order.
func formats(s *llmtest.Server) []string {
	var all []string
	for _, r := range s.Requests() {
		all = append(all, r.Format)
	}
	return all
}

func good(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: `{"fact":"x"}`} }

// A format that the server refuses is tried once, and not again.
func TestFormatFallback(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		refuse []string
		want   []string
	}{
		{"accepts schemas", nil, []string{"json_schema", "json_schema"}},
		{"accepts objects", []string{"json_schema"}, []string{"json_schema", "json_object", "json_object"}},
		{"accepts no format", []string{"response_format"}, []string{"json_schema", "json_object", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, chat := chain(t, llmtest.Options{Handler: good, Refuse: c.refuse}, llm.Config{})
			for i := range 2 {
				if res := mustAsk(t, chat, askFact(strconv.Itoa(i))); res.Text != `{"fact":"x"}` {
					t.Errorf("got %q", res.Text)
				}
			}
			if diff := cmp.Diff(c.want, formats(s)); diff != "" {
				t.Errorf("formats (-want +got):\n%s", diff)
			}
			requests := s.Requests()
			last := requests[len(requests)-1]
			if inPrompt := strings.Contains(last.Last(), `"required":["fact"]`); inPrompt != (last.Format != "json_schema") {
				t.Errorf("format %q, last message %q", last.Format, last.Last())
			}
		})
	}
}

// An error of the server that is about the format is a refusal of the format, in the
// words of llama.cpp, Ollama, vLLM and LM Studio. It is not tried again, and it is
// remembered. Other errors of the server are tried again in the same format.
func TestServerErrorsAboutTheFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		below string // the strictest format that works
		want  []string
	}{
		{"llama.cpp", llmtest.Reply{Status: 500, Message: "Failed to initialize samplers: failed to parse grammar"}, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"llama.cpp, no format", llmtest.Reply{Status: 400, Message: "failed to parse grammar"}, "", []string{"json_schema", "json_object", "", ""}},
		{"Ollama", llmtest.Reply{Status: 500, Raw: `{"error":"invalid JSON schema in format"}`}, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"Ollama, no format", llmtest.Reply{Status: 500, Raw: `{"error":"failed to load model vocabulary required for format"}`}, "", []string{"json_schema", "json_object", "", ""}},
		{"vLLM", llmtest.Reply{Status: 400, Message: "The provided JSON schema contains features not supported by xgrammar."}, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"LM Studio", llmtest.Reply{Status: 400, Raw: `{"error":"'response_format.type' must be 'text'"}`}, "", []string{"json_schema", "json_object", "", ""}},
		{"error with status 200", llmtest.Reply{Raw: `{"error":{"code":500,"message":"unsupported grammar"}}`}, "json_object", []string{"json_schema", "json_object", "json_object"}},
		{"another error", llmtest.Reply{Status: 500, Message: "out of memory"}, "json_object", []string{"json_schema", "json_schema", "json_schema", "json_schema"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var faults atomic.Int64
			s, chat := chain(t, llmtest.Options{Handler: good, Fault: func(r llmtest.Request) *llmtest.Reply {
				refused := r.Format == "json_schema" || r.Format == "json_object" && c.below == ""
				if c.name == "another error" {
					refused = faults.Load() < 2
				}
				if !refused {
					return nil
				}
				faults.Add(1)
				return &c.reply
			}}, llm.Config{})
			for i := range 2 {
				if res := mustAsk(t, chat, askFact(strconv.Itoa(i))); res.Text != `{"fact":"x"}` {
					t.Errorf("got %q", res.Text)
				}
			}
			if diff := cmp.Diff(c.want, formats(s)); diff != "" || faults.Load() == 0 {
				t.Errorf("%d faults, formats (-want +got):\n%s", faults.Load(), diff)
			}
		})
	}
}

// A request that is refused in every format says nothing about the formats.
func TestRefusedRequestKeepsTheFormat(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(r.Messages[0].Content, "bad") {
			return llmtest.Reply{Status: 400, Message: "I do not like this text"}
		}
		return good(r)
	}}, llm.Config{})
	for _, text := range []string{"bad 1", "fine", "bad 2", "fine 2"} {
		_, err := chat.Chat(context.Background(), askFact(text))
		if bad := strings.HasPrefix(text, "bad"); bad != (status(err) == 400) {
			t.Errorf("%s: %v", text, err)
		}
	}
	want := []string{"json_schema", "json_object", "", "json_schema", "json_schema", "json_schema"}
	if diff := cmp.Diff(want, formats(s)); diff != "" {
		t.Errorf("formats (-want +got):\n%s", diff)
	}
}

// Of several JSON values in an answer the one that fits the schema counts, and the last of
// these: models quote JSON of the document, which may be longer, before they answer.
func TestValueThatFits(t *testing.T) {
	t.Parallel()
	long := `{"name": "config of the document", "values": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}`
	for _, c := range []struct {
		name, answer, want string
		requests           int
	}{
		{"a longer value before", "The text contains " + long + ", so:\n{\"fact\": \"x\"}", `{"fact":"x"}`, 1},
		{"a longer value behind", "{\"fact\": \"x\"}\nThis was taken from " + long, `{"fact":"x"}`, 1},
		{"an unfinished value behind", "{\"fact\": \"x\"} See also {\"fact\": \"a longer one", `{"fact":"x"}`, 1},
		{"a longer draft", `{"fact": "a long draft that says too much"} No: {"fact": "x"}`, `{"fact":"x"}`, 1},
		{"the caller's check", `{"fact": "x"} and not {"fact": "wrong"}`, `{"fact":"x"}`, 1},
		{"only unfinished", `{"fact": "x", "more": "and so`, `{"fact":"x"}`, 2},
		{"many values", counted(`{"n":"%d"} `, 100000) + `{"fact": "x"}`, `{"fact":"x"}`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: c.answer} }}, llm.Config{})
			req := askFact("q")
			req.MaxTokens = 1 << 20 // the server obeys it
			checked := ""
			req.Valid = func(text string) error {
				if checked = compacted(t, text); strings.Contains(text, "wrong") {
					return errors.New("the fact is wrong")
				}
				return nil
			}
			res, err := chat.Chat(context.Background(), req)
			if err != nil || compacted(t, res.Text) != c.want || checked != c.want || s.Counts().Requests != c.requests {
				t.Errorf("got %q, last checked %q, after %d requests, %v; want %q, %d", res.Text, checked, s.Counts().Requests, err, c.want, c.requests)
			}
		})
	}
}

// TestIncompleteJSON asks once more for an answer whose JSON ends in the middle with the finish reason
// stop. Of two such answers the longer one counts.
func TestIncompleteJSON(t *testing.T) {
	t.Parallel()
	const whole, half, less = `{"fact":"x","list":[1,2]}`, `{"fact":"x","list":[1,`, `{"fact":"x"`
	for _, c := range []struct{ first, second, want string }{
		{half, whole, whole},
		{half, less, `{"fact":"x","list":[1]}`},
		{less, half, `{"fact":"x","list":[1]}`},
		{half, "I have no more to say", `{"fact":"x","list":[1]}`},
		{"prose", half, `{"fact":"x","list":[1]}`},
	} {
		s, chat := chain(t, llmtest.Options{}, llm.Config{})
		s.Enqueue(llmtest.Reply{Text: c.first}, llmtest.Reply{Text: c.second})
		res, err := chat.Chat(t.Context(), askFact("q"))
		if err != nil || compacted(t, res.Text) != c.want || s.Counts().Requests != 2 {
			t.Errorf("%s, then %s: got %q after %d requests, %v, want %q", c.first, c.second, res.Text, s.Counts().Requests, err, c.want)
		}
	}
}

// TestShorten: an answer that was cut off is asked for once more where the request says so.
func TestShorten(t *testing.T) {
	t.Parallel()
	for _, structured := range []bool{false, true} {
		s, chat := chain(t, llmtest.Options{}, llm.Config{})
		cut, whole := llmtest.Reply{Text: `{"fact":"a long`, Finish: llm.FinishLength}, llmtest.Reply{Text: `{"fact":"x"}`}
		s.Enqueue(cut, whole, cut, cut)
		req := askFact("q")
		if req.Shorten = true; !structured {
			req.Schema = nil
		}
		res, err := chat.Chat(t.Context(), req)
		if err != nil || res.Text != whole.Text || res.Usage.Calls != 2 || !strings.Contains(s.Requests()[1].Last(), "fewer words") {
			t.Errorf("got %+v, %v", res, err)
		}
		if _, err := chat.Chat(t.Context(), req); !errors.Is(err, llm.ErrTruncated) || s.Counts().Requests != 4 {
			t.Errorf("cut twice: %v after %d requests", err, s.Counts().Requests)
		}
	}
}

func TestInvalidAnswerIsAskedAgain(t *testing.T) {
	t.Parallel()
	valid := func(text string) error {
		if strings.Contains(text, "wrong") {
			return errors.New("the fact is wrong")
		}
		return nil
	}
	for _, c := range []struct {
		name, first, complaint string
		second                 string
		err                    error
	}{
		{"repaired without asking", "```json\n{'fact': 'x',}\n```", "", "", nil},
		{"more fields than asked", `{"fact":"x","date_range":null}`, "", "", nil},
		{"no JSON", "I would rather not.", "no JSON object", `{"fact":"y"}`, nil},
		{"array", `["fact"]`, "array", `{"fact":"y"}`, nil},
		{"field missing", `{"facts":"x"}`, `"fact" is missing`, `{"fact":"y"}`, nil},
		{"caller's check", `{"fact":"wrong"}`, "the fact is wrong", `{"fact":"y"}`, nil},
		{"bad again", `{"fact":"wrong"}`, "the fact is wrong", `{"fact":"wrong"}`, llm.ErrInvalid},
		{"then cut off", "no", "no JSON", "truncated", llm.ErrTruncated},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, chat := chain(t, llmtest.Options{}, llm.Config{})
			second := llmtest.Reply{Text: c.second}
			if c.second == "truncated" {
				second = llmtest.Reply{Text: `{"fact":`, Finish: "length"}
			}
			s.Enqueue(llmtest.Reply{Text: c.first}, second)
			req := askFact("q")
			req.Valid = valid
			res, err := chat.Chat(context.Background(), req)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			requests := s.Requests()
			if c.complaint == "" {
				if len(requests) != 1 || !strings.Contains(res.Text, `"fact":"x"`) {
					t.Errorf("%q after %d requests", res.Text, len(requests))
				}
				return
			}
			if len(requests) != 2 || res.Usage.Calls != 2 {
				t.Fatalf("%d requests, %d calls counted, want 2", len(requests), res.Usage.Calls)
			}
			again := requests[1]
			if !strings.Contains(again.Last(), c.complaint) || again.Messages[1].Content != c.first || again.Messages[1].Role != "assistant" {
				t.Errorf("asked again with %+v", again.Messages)
			}
			if c.err == nil && res.Text != c.second {
				t.Errorf("got %q", res.Text)
			}
			var answer *llm.AnswerError
			if c.err != nil && (!errors.As(err, &answer) || answer.Text == "") {
				t.Errorf("the error carries no text: %v", err)
			}
		})
	}
}

// Invalid text is asked for once more too, unless it was streamed.
func TestInvalidText(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: strconv.Itoa(len(r.Messages))}
	}}, llm.Config{})
	req := ask("q")
	req.Valid = func(text string) error {
		if text == "1" {
			return errors.New("one is not enough")
		}
		return nil
	}
	if res := mustAsk(t, chat, req); res.Text != "3" || s.Counts().Requests != 2 {
		t.Errorf("%q after %d requests", res.Text, s.Counts().Requests)
	}
	req.Stream = func(string) {}
	if res, err := chat.Chat(context.Background(), req); !errors.Is(err, llm.ErrInvalid) || res.Text != "1" {
		t.Errorf("streamed: %q, %v", res.Text, err)
	}
}

// Text without content is asked for once more; then it is an error.
func TestEmptyText(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{}, llm.Config{})
	empty := llmtest.Reply{Text: "<think>hm</think>\n"}
	s.Enqueue(empty)
	if res := mustAsk(t, chat, ask("q")); res.Text != "ok" || s.Counts().Requests != 2 {
		t.Errorf("%q after %d requests", res.Text, s.Counts().Requests)
	}
	s.Enqueue(empty, empty)
	if _, err := chat.Chat(context.Background(), ask("r")); !errors.Is(err, llm.ErrInvalid) || !strings.Contains(err.Error(), "only reasoning") {
		t.Errorf("empty twice: %v", err)
	}
	s.Enqueue(empty)
	req := ask("s")
	shown := ""
	req.Stream = func(text string) { shown += text }
	if res := mustAsk(t, chat, req); res.Text != "ok" || strings.TrimSpace(shown) != "ok" {
		t.Errorf("streamed: %q, %q shown", res.Text, shown)
	}
}

// The error of a truncated answer names the setting that raises its limit.
func TestTruncatedNamesTheSetting(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "one two three four"}
	}}, llm.Config{})
	_, err := llm.WithMaxTokens(chat, llm.AnswerLimit{Tokens: 3, Setting: "models.map.max_tokens"}).Chat(context.Background(), ask("q"))
	if !errors.Is(err, llm.ErrTruncated) || !strings.Contains(err.Error(), "raise models.map.max_tokens, which is 3") || s.Requests()[0].MaxTokens != 3 {
		t.Errorf("error %v of %d tokens", err, s.Requests()[0].MaxTokens)
	}
}

// A truncated answer is not asked for again, and the error carries its text.
func TestTruncated(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "one two three four"}
	}}, llm.Config{})
	req := ask("q")
	req.MaxTokens = 2
	res, err := chat.Chat(context.Background(), req)
	var answer *llm.AnswerError
	if !errors.Is(err, llm.ErrTruncated) || !errors.As(err, &answer) || answer.Text != "one two" || s.Counts().Requests != 1 {
		t.Errorf("error %v with %+v after %d requests", err, answer, s.Counts().Requests)
	}
	if res.Finish != llm.FinishLength || res.Usage.TokensOut != 2 {
		t.Errorf("response %+v", res)
	}
}

func TestStructuredAnswersComeInOnePiece(t *testing.T) {
	t.Parallel()
	_, chat := chain(t, llmtest.Options{Handler: good, Refuse: []string{"json_schema"}}, llm.Config{})
	var shown []string
	req := askFact("q")
	req.Stream = func(delta string) { shown = append(shown, delta) }
	mustAsk(t, chat, req)
	if diff := cmp.Diff([]string{`{"fact":"x"}`}, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}
