package openai_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// pages serves documents by path and records what was asked.
type pages struct {
	mu    sync.Mutex
	of    map[string]string
	asked []string
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, r.Method+" "+r.URL.Path)
	body, ok := p.of[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = fmt.Fprint(w, body)
}

// windowed returns the chat model of a client.
func windowed(t *testing.T, c openai.Config) llm.Windowed {
	t.Helper()
	client, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	w, ok := client.Chat().(llm.Windowed)
	if !ok {
		t.Fatal("the chat model does not know its context")
	}
	return w
}

// TestContextOfServers asks servers for the context of a model, in the way of each.
func TestContextOfServers(t *testing.T) {
	t.Parallel()
	list := func(owner, more string) string {
		return `{"object":"list","data":[{"id":"other","max_model_len":99},{"id":"m","owned_by":"` + owner + `"` + more + `}]}`
	}
	const models = "GET /v1/models"
	for name, tt := range map[string]struct {
		of    map[string]string
		want  int
		asked []string
	}{
		"vLLM":       {map[string]string{"/v1/models": list("vllm", `,"max_model_len":4096`)}, 4096, []string{models}},
		"OpenRouter": {map[string]string{"/v1/models": list("x", `,"context_length":131072`)}, 131072, []string{models}},
		"Groq":       {map[string]string{"/v1/models": list("Meta", `,"context_window":8192`)}, 8192, []string{models}},
		"llama.cpp": {map[string]string{
			"/v1/models": list("llamacpp", `,"meta":{"n_ctx_train":131072}`), "/props": `{"default_generation_settings":{"n_ctx":2048}}`,
		}, 2048, []string{models, "GET /props"}},
		"LM Studio": {map[string]string{
			"/v1/models": list("organization_owner", ""), "/api/v0/models": `{"data":[{"id":"m","max_context_length":32768,"loaded_context_length":4096}]}`,
		}, 4096, []string{models, "GET /api/v0/models"}},
		"LM Studio, not loaded": {map[string]string{
			"/v1/models": list("organization_owner", ""), "/api/v0/models": `{"data":[{"id":"m","max_context_length":32768}]}`,
		}, 0, []string{models, "GET /api/v0/models", models, "GET /api/v0/models"}},
		"Ollama": {map[string]string{
			"/v1/models": list("library", ""), "/api/ps": `{"models":[{"name":"m:latest","context_length":4096}]}`,
		}, 4096, []string{models, "GET /api/ps"}},
		"Ollama, not loaded": {map[string]string{
			"/v1/models": list("library", ""), "/api/ps": `{"models":[]}`, "/api/show": `{"parameters":"stop \"<x>\"\nnum_ctx                        8192","model_info":{"llama.context_length":131072}}`,
		}, 8192, []string{models, "GET /api/ps", "POST /api/show"}},
		"no list":      {nil, 0, []string{models}},
		"no such":      {map[string]string{"/v1/models": `{"data":[]}`}, 0, []string{models}},
		"absurd":       {map[string]string{"/v1/models": list("vllm", `,"max_model_len":3`)}, 0, []string{models}},
		"another form": {map[string]string{"/v1/models": `{"data":{"m":1}}`}, 0, []string{models}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &pages{of: tt.of}
			server := httptest.NewServer(p)
			t.Cleanup(server.Close)
			w := windowed(t, openai.Config{BaseURL: server.URL + "/v1", Model: "m"})
			for range 2 { // the second time from what is known
				if got := w.Context(t.Context()); got != tt.want {
					t.Errorf("Context = %d, want %d", got, tt.want)
				}
			}
			if diff := gocmp.Diff(tt.asked, p.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestContextWithoutAsking takes the context of the settings, or the one of a hosted model,
// without a request.
func TestContextWithoutAsking(t *testing.T) {
	t.Parallel()
	p := &pages{}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		config openai.Config
		want   int
	}{
		{openai.Config{BaseURL: server.URL + "/v1", Model: "m", Context: 2048}, 2048},
		{openai.Config{Model: "gpt-4o-mini"}, 128_000},
		{openai.Config{Model: "gpt-4-0613"}, 8192},
		{openai.Config{Model: "ft:another"}, 0},
		{openai.Config{BaseURL: "https://openrouter.ai/api/v1", Model: "anthropic/claude-sonnet-4"}, 200_000},
	} {
		if got := windowed(t, tt.config).Context(t.Context()); got != tt.want {
			t.Errorf("Context of %+v = %d, want %d", tt.config, got, tt.want)
		}
	}
	if len(p.asked) > 0 {
		t.Errorf("asked %v, want nothing", p.asked)
	}
	if got := windowed(t, openai.Config{BaseURL: server.URL + "/v1", Model: "gpt-4"}).Context(t.Context()); got != 0 || !slices.Equal(p.asked, []string{"GET /v1/models"}) {
		t.Errorf("Context of a local model named gpt-4 = %d, asked %v; want 0 after asking", got, p.asked)
	}
}

// TestContextIsLearntFromRefusals reads the context in the sentences of servers.
func TestContextIsLearntFromRefusals(t *testing.T) {
	t.Parallel()
	quoted := func(message string) string { return fmt.Sprintf(`{"error":{"message":%q}}`, message) }
	for name, tt := range map[string]struct {
		status int
		body   string
		want   int
		fits   bool // the refusal has another reason
	}{
		"OpenAI":         {400, quoted("This model's maximum context length is 2048 tokens. However, your messages resulted in 9000 tokens."), 2048, false},
		"vLLM":           {400, `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 2500 input tokens (8192 > 4096 - 2500).","code":400}`, 4096, false},
		"llama.cpp":      {400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":2048}}`, 2048, false},
		"llama.cpp, old": {500, quoted("the request exceeds the available context size (4096 tokens)"), 4096, false},
		"LM Studio":      {400, quoted("Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."), 4096, false},
		"LM Studio, 200": {200, quoted("The model is loaded with context length of only 4096 tokens, which is not enough."), 4096, false},
		"Mistral":        {400, quoted("Prompt contains 40,000 tokens and 0 draft tokens, too large for model with 32,768 maximum context length"), 32768, false},
		"Anthropic":      {400, quoted("prompt is too long: 210000 tokens > 200000 maximum"), 200000, false},
		"Google":         {400, quoted("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), 1048576, false},
		"TGI":            {413, quoted("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`"), 4096, false},
		"TGI, 422":       {422, "{\"error\":\"Input validation error: `inputs` must have less than 4096 tokens. Given: 5000\",\"error_type\":\"validation\"}", 4096, false},
		"llama-cpp-python": {
			400, quoted("Requested tokens (3000) exceed context window of 2048"), 2048, false,
		},
		"no number":         {400, quoted("the input length exceeds the context length"), 0, false},
		"another reason":    {400, quoted("temperature must be at most 2"), 0, true},
		"a quoted document": {422, `{"detail":[{"loc":["body"],"input":"the maximum context length is 300 tokens"}]}`, 0, false},
		"a busy server":     {503, quoted("overloaded"), 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(llmtest.Options{})
			t.Cleanup(s.Close)
			s.Enqueue(llmtest.Reply{Status: tt.status, Raw: tt.body})
			client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			_, err = client.Chat().Chat(context.Background(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}})
			if refused, ok := errors.AsType[*llm.Error](err); !ok || !tt.fits && tt.want > 0 && (refused.Retryable || !refused.RefusesContent()) {
				t.Fatalf("Chat returned %v, want a refusal of the content", err)
			}
			if tooLong := errors.Is(err, llm.ErrTooLong); tooLong != (tt.want > 0 || name == "no number") {
				t.Errorf("Chat returned %v: too long is %v", err, tooLong)
			}
			w, _ := client.Chat().(llm.Windowed)
			if got := w.Context(t.Context()); got != tt.want {
				t.Errorf("Context = %d, want %d", got, tt.want)
			}
		})
	}
}

// TestContextAdvice names the setting of the server.
func TestContextAdvice(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://127.0.0.1:11434/v1": "OLLAMA_CONTEXT_LENGTH", "http://127.0.0.1:1234/v1": "Context Length", "http://example.org/v1": "llama.cpp",
	} {
		if got := windowed(t, openai.Config{BaseURL: base, Model: "m", Context: 9}).ContextAdvice(); !strings.Contains(got, want) || !strings.Contains(got, "models.chat.context") {
			t.Errorf("ContextAdvice at %s = %q, want %q", base, got, want)
		}
	}
}

// TestContextOfEarlierRuns checks that a context which an earlier run learnt counts only where neither the settings
// nor the server state one, and that what a server states is not kept for later runs.
func TestContextOfEarlierRuns(t *testing.T) {
	t.Parallel()
	const stated = `{"data":[{"id":"m","owned_by":"vllm","max_model_len":8192}]}`
	const refusal = `{"error":{"message":"This model's maximum context length is 4096 tokens."}}`
	for name, tt := range map[string]struct {
		list    string // of models
		learnt  int    // by an earlier run
		config  openai.Config
		refuses bool // a call of this run
		want    int
		keeps   int // for later runs
	}{
		"the server was started with more":       {list: stated, learnt: 2048, want: 8192, keeps: 2048},
		"the server was started with less":       {list: stated, learnt: 16384, want: 8192, keeps: 16384},
		"the server states one":                  {list: stated, want: 8192},
		"the server states none":                 {learnt: 2048, want: 2048, keeps: 2048},
		"a setting":                              {list: stated, learnt: 2048, config: openai.Config{Context: 1024}, want: 1024, keeps: 2048},
		"a hosted model":                         {learnt: 2048, config: openai.Config{BaseURL: "https://openrouter.ai/api/v1", Model: "anthropic/claude-sonnet-4"}, want: 200_000, keeps: 2048},
		"a refusal of this run":                  {list: stated, refuses: true, want: 4096, keeps: 4096},
		"a refusal, and a server without a list": {learnt: 2048, refuses: true, want: 4096, keeps: 4096},
		"a refusal above the setting":            {config: openai.Config{Context: 1024}, refuses: true, want: 1024, keeps: 4096},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = fmt.Fprint(w, refusal)
					return
				}
				_, _ = fmt.Fprint(w, tt.list)
			}))
			t.Cleanup(server.Close)
			config := tt.config
			config.BaseURL, config.Model, config.Known = cmp.Or(config.BaseURL, server.URL+"/v1"), cmp.Or(config.Model, "m"), &known.Server{}
			config.Known.Learn(func(f *known.Facts) { f.Context = tt.learnt })
			client, err := openai.New(config)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			if tt.refuses {
				if _, err := client.Chat().Chat(t.Context(), llm.Request{Messages: []llm.Message{{Role: "user", Content: "q"}}}); !errors.Is(err, llm.ErrTooLong) {
					t.Fatalf("Chat returned %v, want %v", err, llm.ErrTooLong)
				}
			}
			w, _ := client.Chat().(llm.Windowed)
			for range 2 {
				if got := w.Context(t.Context()); got != tt.want {
					t.Errorf("Context = %d, want %d", got, tt.want)
				}
			}
			if got := config.Known.Facts().Context; got != tt.keeps {
				t.Errorf("kept for later runs: %d, want %d", got, tt.keeps)
			}
		})
	}
}
