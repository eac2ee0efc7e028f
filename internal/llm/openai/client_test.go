package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-test-0123456789abcdef"

func client(t *testing.T, c openai.Config) *openai.Client {
	t.Helper()
	if c.Model == "" {
		c.Model, c.EmbeddingModel = "m", "e"
	}
	got, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(got.Close)
	return got
}

func server(t *testing.T, o llmtest.Options) *llmtest.Server {
	t.Helper()
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	return s
}

func question() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}
}

// recorder is a transport that records requests to hosts that a test cannot listen on.
type recorder struct{ requests []*http.Request }

func (t *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	t.requests = append(t.requests, r)
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/json")
	_, _ = rec.WriteString(`{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`)
	return rec.Result(), nil
}

// No key or name from the environment is sent to any host, and the configured key is
// sent to its own host only.
func TestKeyIsSentToItsHostOnly(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "sk-env-secret", "OPENAI_ORG_ID": "org-env", "OPENAI_PROJECT_ID": "proj-env",
		"OPENAI_BASE_URL": "http://127.0.0.1:1/env", "OPENAI_WEBHOOK_SECRET": "hook-env",
	} {
		t.Setenv(name, value)
	}
	for _, c := range []struct {
		name   string
		config openai.Config
		url    string
		want   map[string]string // Authorization, Api-Key, OpenAI-Organization, OpenAI-Project
	}{
		{
			"OpenAI",
			openai.Config{Key: secret, Organization: "org", Project: "proj"},
			"https://api.openai.com/v1/chat/completions",
			map[string]string{"Authorization": "Bearer " + secret, "OpenAI-Organization": "org", "OpenAI-Project": "proj"},
		},
		{"OpenAI without a key", openai.Config{}, "https://api.openai.com/v1/chat/completions", nil},
		{
			"another host",
			openai.Config{BaseURL: "https://llm.example/v1/", Key: secret, Organization: "org", Project: "proj"},
			"https://llm.example/v1/chat/completions",
			map[string]string{"Authorization": "Bearer " + secret},
		},
		{
			"a host of a similar name",
			openai.Config{BaseURL: "https://api.openai.com.example/v1", Organization: "org"},
			"https://api.openai.com.example/v1/chat/completions", nil,
		},
		{"local", openai.Config{BaseURL: "http://localhost:11434/v1"}, "http://localhost:11434/v1/chat/completions", nil},
		{
			"Azure",
			openai.Config{BaseURL: "https://me.openai.azure.com/openai/v1", Key: secret},
			"https://me.openai.azure.com/openai/v1/chat/completions",
			map[string]string{"Api-Key": secret},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := &recorder{}
			c.config.Transport = sent
			res, err := client(t, c.config).Chat().Chat(context.Background(), question())
			if err != nil || res.Text != "ok" || len(sent.requests) != 1 {
				t.Fatalf("%q, %v after %d requests", res.Text, err, len(sent.requests))
			}
			r := sent.requests[0]
			got := map[string]string{}
			for _, name := range []string{"Authorization", "Api-Key", "OpenAI-Organization", "OpenAI-Project"} {
				if v := r.Header.Get(name); v != "" {
					got[name] = v
				}
			}
			if c.want == nil {
				c.want = map[string]string{}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
			if r.URL.String() != c.url {
				t.Errorf("requested %s, want %s", r.URL, c.url)
			}
			if all := fmt.Sprint(r.Header); strings.Contains(all, "env") {
				t.Errorf("the headers contain values of the environment: %s", all)
			}
		})
	}
}

// The same over a real connection, at a local server.
func TestNoKeyWithoutConfiguration(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-env-secret")
	t.Setenv("OPENAI_ORG_ID", "org-env")
	s := server(t, llmtest.Options{})
	c := client(t, openai.Config{BaseURL: s.URL()})
	if _, err := c.Chat().Chat(context.Background(), question()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Embedder().Embed(context.Background(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		if r.Header.Get("Authorization") != "" || strings.Contains(fmt.Sprint(r.Header), "env") {
			t.Errorf("%s arrived with %v", r.Path, r.Header)
		}
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

// A redirect is an error that names the other address.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := server(t, llmtest.Options{})
	for _, code := range []int{301, 302, 307, 308} {
		from := httptest.NewServer(http.RedirectHandler(elsewhere.URL()+"/chat/completions", code))
		t.Cleanup(from.Close)
		_, err := client(t, openai.Config{BaseURL: from.URL, Key: secret}).Chat().Chat(context.Background(), question())
		var e *llm.Error
		if !errors.As(err, &e) || e.Retryable || !strings.Contains(err.Error(), elsewhere.URL()) {
			t.Errorf("%d: %v", code, err)
		}
	}
	if n := elsewhere.Counts().Requests; n != 0 {
		t.Errorf("%d requests followed a redirect", n)
	}
}

func TestNoKeyInErrors(t *testing.T) {
	t.Parallel()
	faults := []llmtest.Reply{
		{Status: 401, Message: "Incorrect API key provided: " + secret},
		{Status: 400, Message: "bad header Authorization: Bearer " + secret},
		{Status: 500, Raw: "panic with " + secret},
		{Raw: `{"error":{"message":"upstream refused ` + secret + `"}}`},
		{Text: "x", Reset: true},
	}
	s := server(t, llmtest.Options{})
	c := client(t, openai.Config{BaseURL: s.URL(), Key: secret, Timeout: time.Second})
	check := func(name string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: no error", name)
			return
		}
		var e *llm.Error
		errors.As(err, &e)
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err), fmt.Sprintf("%#v", e)} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the key is in %s", name, text)
			}
		}
	}
	for _, f := range faults {
		for _, streamed := range []bool{false, true} {
			s.Enqueue(f)
			req := question()
			if streamed {
				req.Stream = func(string) {}
			}
			_, err := c.Chat().Chat(context.Background(), req)
			check(fmt.Sprintf("%+v", f), err)
		}
		s.Enqueue(f)
		if f.Text == "" {
			_, _, err := c.Embedder().Embed(context.Background(), []string{"a"})
			check("embed", err)
		}
	}
	_, err := client(t, openai.Config{BaseURL: "http://127.0.0.1:1/v1", Key: secret}).Chat().Chat(context.Background(), question())
	check("no server", err)
	_, err = openai.New(openai.Config{BaseURL: "http://user:" + secret + "@host/v1"})
	check("key in the address", err)
	_, err = openai.New(openai.Config{Key: secret + "\n"})
	check("key with a line break", err)
}

// Messages of refusals say what to do.
func TestAdvice(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{})
	local := client(t, openai.Config{BaseURL: s.URL()})
	keyed := client(t, openai.Config{BaseURL: s.URL(), Key: secret})
	for _, c := range []struct {
		name   string
		client *openai.Client
		reply  llmtest.Reply
		want   []string
	}{
		{"no key", local, llmtest.Reply{Status: 401, Message: "missing"}, []string{"401", "missing", "requires a key", "api_key_env"}},
		{"wrong key", keyed, llmtest.Reply{Status: 401, Message: "bad"}, []string{"401", "check it"}},
		{"forbidden", keyed, llmtest.Reply{Status: 403, Message: "no"}, []string{"403", "no access to m", "another model"}},
		{"no model", keyed, llmtest.Reply{Status: 404, Message: "model not found"}, []string{"404", "no model m", "base_url", "/v1"}},
		{"error as a string", keyed, llmtest.Reply{Status: 404, Raw: `{"error":"model 'm' not found"}`}, []string{"model 'm' not found", "404"}},
		{"FastAPI", keyed, llmtest.Reply{Status: 422, Raw: `{"detail":[{"loc":["body"],"msg":"bad value"}]}`}, []string{"422", "bad value"}},
		{"plain text", keyed, llmtest.Reply{Status: 400, Raw: "what\n is this"}, []string{"400", "what is this"}},
		{"no message", keyed, llmtest.Reply{Status: 400, Raw: "{}"}, []string{"400", "parameters"}},
		{"too long", keyed, llmtest.Reply{Status: 400, Code: "context_length_exceeded", Message: "over"}, []string{"too long for m", "smaller"}},
		{"no credit", keyed, llmtest.Reply{Status: 429, Code: "insufficient_quota", Message: "quota"}, []string{"no credit"}},
	} {
		s.Enqueue(c.reply)
		_, err := c.client.Chat().Chat(context.Background(), question())
		var e *llm.Error
		if !errors.As(err, &e) || e.Retryable || e.Status != c.reply.Status {
			t.Errorf("%s: %#v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %q, want it to contain %q", c.name, err, want)
			}
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"localhost:8000/v1", "ftp://x/v1", "http://", "http://host/v1?key=1", "::"} {
		if _, err := openai.New(openai.Config{BaseURL: url}); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
	c, err := openai.New(openai.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Chat().Chat(context.Background(), question()); err == nil || !strings.Contains(err.Error(), "models.chat.model") {
		t.Errorf("no chat model: %v", err)
	}
	if _, _, err := c.Embedder().Embed(context.Background(), []string{"a"}); err == nil || !strings.Contains(err.Error(), "models.embedding.model") {
		t.Errorf("no embedding model: %v", err)
	}
}

func TestRequestBody(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{})
	c := client(t, openai.Config{BaseURL: s.URL(), Params: map[string]any{"top_p": 0.5, "options.num_ctx": 4096}})
	seed := int64(7)
	_, err := c.Chat().Chat(context.Background(), llm.Request{
		Messages: []llm.Message{{Role: "system", Content: "s"}, {Role: "user", Content: "u"}, {Role: "assistant", Content: "a"}},
		Schema:   &llm.Schema{Name: "n", JSON: json.RawMessage(`{"type":"object"}`)}, MaxTokens: 50, Seed: &seed,
		LogitBias: map[string]int64{"42": -100}, Stream: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(s.Requests()[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"model": "m", "temperature": 0.0, "max_tokens": 50.0, "seed": 7.0, "stream": true, "top_p": 0.5,
		"stream_options": map[string]any{"include_usage": true}, "logit_bias": map[string]any{"42": -100.0},
		"options": map[string]any{"num_ctx": 4096.0},
		"messages": []any{
			map[string]any{"role": "system", "content": "s"},
			map[string]any{"role": "user", "content": "u"},
			map[string]any{"role": "assistant", "content": "a"},
		},
		"response_format": map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": "n", "strict": true, "schema": map[string]any{"type": "object"},
		}},
	}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// The token limit is sent under one name, and it is that of the request, which may be
// lower than the user's parameter.
func TestMaxTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		params map[string]any
		refuse []string
		want   string
	}{
		"max_tokens":                          {nil, nil, "max_tokens"},
		"the server refuses it":               {nil, []string{"max_tokens"}, "max_completion_tokens"},
		"a parameter":                         {map[string]any{"max_tokens": 300}, nil, "max_tokens"},
		"a parameter of the other name":       {map[string]any{"max_completion_tokens": 300}, nil, "max_completion_tokens"},
		"a parameter that the server refuses": {map[string]any{"max_completion_tokens": 300}, []string{"max_completion_tokens"}, "max_tokens"},
	} {
		s := server(t, llmtest.Options{Refuse: c.refuse})
		req := question()
		req.MaxTokens = 1
		if _, err := client(t, openai.Config{BaseURL: s.URL(), Params: c.params}).Chat().Chat(context.Background(), req); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all := s.Requests()
		var body map[string]any
		if err := json.Unmarshal(all[len(all)-1].Body, &body); err != nil {
			t.Fatal(err)
		}
		limits := 0
		for _, field := range []string{"max_tokens", "max_completion_tokens"} {
			if _, sent := body[field]; sent {
				limits++
			}
		}
		if limits != 1 || body[c.want] != 1.0 {
			t.Errorf("%s: sent %v, want only %s of 1", name, body, c.want)
		}
	}
}
