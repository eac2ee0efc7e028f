package openai_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// Answers in the forms that servers use give the same response, streamed or not.
func TestFormsOfAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		want  llm.Response
	}{
		{
			"plain",
			llmtest.Reply{Text: "one two", TokensIn: 5, CachedTokens: 4},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 5, TokensOut: 2, CachedTokens: 4}},
		},
		{
			"no usage",
			llmtest.Reply{Text: "one two", NoUsage: true},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 3}, Estimated: true},
		},
		{
			"negative usage",
			llmtest.Reply{Text: "one two", TokensIn: 5, TokensOut: -2},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 5, TokensOut: 3}, Estimated: true},
		},
		{
			"absurd usage",
			llmtest.Reply{Text: "one two", TokensIn: math.MaxInt64 / 2},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 3}, Estimated: true},
		},
		{
			"more cached than read",
			llmtest.Reply{Text: "one two", TokensIn: 5, CachedTokens: 8},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 5, TokensOut: 2, CachedTokens: 5}},
		},
		{
			"separate reasoning",
			llmtest.Reply{Text: "x", Reasoning: "hm hm", TokensOut: 9},
			llm.Response{Text: "x", Finish: "stop", Reasoning: "hm hm", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 9}},
		},
		{
			"thinking",
			llmtest.Reply{Text: "<think>\nhm <b> hm\n</think>\n\nyes, 漢字 😀", TokensOut: 9},
			llm.Response{Text: "yes, 漢字 😀", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 9}},
		},
		{
			"comments",
			llmtest.Reply{Text: "one two", Comments: true},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 2}},
		},
		{
			"tools",
			llmtest.Reply{Text: "one two", Finish: "tool_calls"},
			llm.Response{Text: "one two", Finish: "stop", Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 2}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := server(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return c.reply }})
			chat := client(t, openai.Config{BaseURL: s.URL()}).Chat()
			for _, streamed := range []bool{false, true} {
				req := question()
				var shown []string
				if streamed {
					req.Stream = func(delta string) { shown = append(shown, delta) }
				}
				got, err := chat.Chat(context.Background(), req)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("streamed %v (-want +got):\n%s", streamed, diff)
				}
				if text := strings.Join(shown, ""); streamed && strings.TrimSpace(text) != c.want.Text {
					t.Errorf("shown %q", shown)
				}
				if streamed && len(c.want.Text) > 6 && len(shown) < 2 {
					t.Errorf("delivered in one piece: %q", shown)
				}
			}
		})
	}
}

func TestServersThatIgnoreStream(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{})
	s.Enqueue(llmtest.Reply{Raw: `{"choices":[{"message":{"content":[{"type":"text","text":"in "},{"type":"text","text":"parts"}]}}]}`})
	req := question()
	shown := ""
	req.Stream = func(delta string) { shown += delta }
	res, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(context.Background(), req)
	if err != nil || res.Text != "in parts" || shown != "in parts" || res.Finish != llm.FinishStop {
		t.Errorf("%+v, shown %q, %v", res, shown, err)
	}
}

func TestUnusableAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		kind      error
		words     string
		again     bool
	}{
		{"cut off", `{"choices":[{"message":{"content":"half"},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`, llm.ErrTruncated, "token limit", false},
		{"filtered", `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, nil, "content filter", false},
		{"refused", `{"choices":[{"message":{"content":null,"refusal":"I must not"},"finish_reason":"stop"}]}`, nil, "I must not", false},
		{"busy", `{"error":{"code":"rate_limit_exceeded","message":"slow down"}}`, nil, "slow down", true},
		{"wrong", `{"error":{"code":400,"message":"nonsense"}}`, nil, "nonsense", false},
		{"not the protocol", `{"hello":"world"}`, nil, "no choice", true},
		{"not JSON", `<html>`, nil, "base_url", false},
		{"broken stream", "data: {\"choi\n\n", nil, "not JSON", true},
		{"stream with an error", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"message\":\"out of memory\",\"type\":\"server_error\"}}\n\n", nil, "out of memory", true},
	} {
		s := server(t, llmtest.Options{})
		reply := llmtest.Reply{Raw: c.raw}
		if strings.HasPrefix(c.raw, "data:") {
			reply.Header = map[string][]string{"Content-Type": {"text/event-stream"}}
		}
		s.Enqueue(reply)
		res, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(context.Background(), question())
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.name, err)
		}
		var e *llm.Error
		if c.kind == nil && (!errors.As(err, &e) || e.Retryable != c.again) {
			t.Errorf("%s: %#v, want retryable %v", c.name, err, c.again)
		}
		var answer *llm.AnswerError
		if c.kind != nil && (!errors.Is(err, c.kind) || !errors.As(err, &answer) || answer.Text != "half" || res.Usage.TokensOut != 4) {
			t.Errorf("%s: %v with %+v, usage %+v", c.name, err, answer, res.Usage)
		}
	}
}

// Parameters that a server does not support are left out from then on.
func TestUnsupportedParamsAreLearned(t *testing.T) {
	t.Parallel()
	seed := int64(1)
	req := question()
	req.Seed, req.MaxTokens, req.Temperature, req.LogitBias = &seed, 10, 0.5, map[string]int64{"1": 1}
	req.Stream = func(string) {}
	for _, refuse := range [][]string{
		nil, {"seed"}, {"max_tokens", "temperature"}, {"max_tokens", "max_completion_tokens"}, {"stream_options", "logit_bias", "seed", "temperature"},
	} {
		s := server(t, llmtest.Options{Refuse: refuse})
		chat := client(t, openai.Config{BaseURL: s.URL()}).Chat()
		for range 2 {
			if res, err := chat.Chat(context.Background(), req); err != nil || res.Text != "ok" {
				t.Fatalf("%v refused: %q, %v", refuse, res.Text, err)
			}
		}
		if n := s.Counts().Requests; n != len(refuse)+2 {
			t.Errorf("%v refused: %d requests, want %d", refuse, n, len(refuse)+2)
		}
		last := s.Requests()[len(refuse)+1]
		if limited := last.MaxTokens == 10; limited == slices.Contains(refuse, "max_completion_tokens") {
			t.Errorf("%v refused: limit of %d tokens", refuse, last.MaxTokens)
		}
	}
	// A refusal of a value is not a refusal of the parameter.
	s := server(t, llmtest.Options{})
	s.Enqueue(llmtest.Reply{Status: 400, Message: "max_tokens is too large: 10", Param: "max_tokens"})
	if _, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(context.Background(), req); err == nil || s.Counts().Requests != 1 {
		t.Errorf("%v after %d requests", err, s.Counts().Requests)
	}
}

func TestFormsOfEmbeddings(t *testing.T) {
	t.Parallel()
	want := [][]float32{llmtest.Vector("a b", 8), llmtest.Vector("c", 8)}
	for name, o := range map[string]llmtest.Options{
		"base64": {}, "floats": {FloatsOnly: true}, "refuses the format": {FloatsOnly: true, Refuse: []string{"encoding_format"}}, "no usage": {NoUsage: true},
	} {
		s := server(t, o)
		c := client(t, openai.Config{BaseURL: s.URL(), EmbeddingModel: "e", Model: "m", Dimension: 8})
		got, used, err := c.Embedder().Embed(context.Background(), []string{"a b", "c"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if (used.TokensIn < 3) != o.NoUsage || used.Calls != 1 {
			t.Errorf("%s: usage %+v", name, used)
		}
	}
	s := server(t, llmtest.Options{NoDimensions: true})
	c := client(t, openai.Config{BaseURL: s.URL(), EmbeddingModel: "e", Model: "m", Dimension: 8})
	if _, _, err := c.Embedder().Embed(context.Background(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "instead of 8") {
		t.Errorf("another dimension than requested: %v", err)
	}
	s.Enqueue(llmtest.Reply{Raw: `{"data":[{"index":1,"embedding":[2]},{"index":0,"embedding":[1]}]}`})
	c = client(t, openai.Config{BaseURL: s.URL()})
	if got, _, err := c.Embedder().Embed(context.Background(), []string{"a", "b"}); err != nil || !cmp.Equal(got, [][]float32{{1}, {2}}) {
		t.Errorf("out of order: %v, %v", got, err)
	}
}

// A parameter is left out only after a refusal that names it as unsupported.
func TestRefusalsOfParams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw  string // the body of the refusal
		lost string // the parameter that is left out then
	}{
		{`{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}}`, "temperature"},
		{`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}`, "max_tokens"},
		{`{"error":"Unrecognized request argument supplied: seed"}`, "seed"},
		{`{"error":{"message":"Unknown name \"seed\": Cannot find field."}}`, "seed"},
		{`{"error":{"message":"property 'logit_bias' is unsupported"}}`, "logit_bias"},
		{`{"error":{"message":"create() got an unexpected keyword argument 'logit_bias'"}}`, "logit_bias"},
		{`{"error":{"message":"` + "`temperature`" + ` is deprecated for this model."}}`, "temperature"},
		{`{"error":{"message":"This model does not support the temperature parameter"}}`, "temperature"},
		{`{"error":{"message":"The parameter temperature is not allowed for this model"}}`, "temperature"},
		{`{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":1}]}`, "seed"},
		{`{"error":{"message":"content of this kind is not allowed (request with temperature 0, seed 1)"}}`, ""},
		{`{"error":{"message":"The model does not support images. Parameters: temperature=0, max_tokens=10"}}`, ""},
		{`{"error":{"message":"Unknown model m; try one with temperature"}}`, ""},
		{`{"error":{"message":"temperature must be at most 1; other values are not supported","param":"temperature"}}`, ""},
		{`{"error":{"message":"temperature: 2 is too high"}}`, ""},
		{`{"error":{"message":"temperature is not allowed to exceed 1"}}`, ""},
	} {
		s := server(t, llmtest.Options{})
		seed := int64(1)
		req := question()
		req.Seed, req.MaxTokens, req.LogitBias = &seed, 10, map[string]int64{"1": 1}
		s.Enqueue(llmtest.Reply{Status: 400, Raw: c.raw})
		_, err := client(t, openai.Config{BaseURL: s.URL()}).Chat().Chat(t.Context(), req)
		requests := s.Requests()
		if c.lost == "" {
			if err == nil || len(requests) != 1 {
				t.Errorf("%s: sent again without a parameter: %v", c.raw, err)
			}
			continue
		}
		if err != nil || len(requests) != 2 {
			t.Errorf("%s: %d requests, %v", c.raw, len(requests), err)
			continue
		}
		for _, name := range []string{"temperature", "max_tokens", "seed", "logit_bias"} {
			if sent := strings.Contains(string(requests[1].Body), `"`+name+`"`); sent == (name == c.lost) {
				t.Errorf("%s: %s sent again: %v", c.raw, name, sent)
			}
		}
	}
}
